// What the history says by itself; games, results and steps are in the words of the house.

import type { Language } from "../words/language.js";

const TEXTS = {
  history: ["My rounds", "我的牌局", "我的牌局"],
  game: ["Game", "遊戲", "游戏"],
  allGames: ["All games", "所有遊戲", "所有游戏"],
  ended: ["Ended", "結束時間", "结束时间"],
  round: ["Round", "局", "局"],
  staked: ["Staked", "投注", "投注"],
  result: ["Result", "結果", "结果"],
  fee: ["Fee", "費用", "费用"],
  replay: ["Replay", "重播", "回放"],
  voided: ["voided", "已作廢", "已作废"],
  none: ["You have not played a round yet.", "你還沒有玩過任何一局。", "你还没有玩过任何一局。"],
  noneFit: ["No round fits. Change the filter.", "沒有符合的牌局，請更改篩選條件。", "没有符合的牌局，请更改筛选条件。"],
  oneTable: ["Only one table", "只看一張牌桌", "只看一张牌桌"],
  allTables: ["Show all tables", "顯示所有牌桌", "显示所有牌桌"],
  more: ["Show older rounds", "顯示更早的牌局", "显示更早的牌局"],
  first: ["First step", "第一步", "第一步"],
  back: ["One step back", "後退一步", "后退一步"],
  next: ["One step on", "前進一步", "前进一步"],
  last: ["Last step", "最後一步", "最后一步"],
  play: ["Play", "播放", "播放"],
  pause: ["Pause", "暫停", "暂停"],
  steps: ["What happened", "經過", "经过"],
  keys: [
    "Keys: ← → one step, Home and End, space plays",
    "按鍵：← → 逐步，Home 與 End 跳到頭尾，空白鍵播放",
    "按键：← → 逐步，Home 和 End 跳到头尾，空格键播放",
  ],
  missing: [
    "You did not play this round, or it is not over yet.",
    "你沒有參加這一局，或這一局還沒有結束。",
    "你没有参加这一局，或这一局还没有结束。",
  ],
  hidden: [
    "The seed of this round was never revealed, so it is shown in words alone.",
    "這一局的種子從未公開，因此只以文字顯示。",
    "这一局的种子从未公开，因此只以文字显示。",
  ],
  asSeen: ["Replay, as you saw it", "重播：你當時看到的畫面", "回放：你当时看到的画面"],
  loading: ["Loading …", "載入中 …", "加载中 …"],
} as const satisfies Readonly<Record<string, readonly [string, string, string]>>;

export type HistoryWord = keyof typeof TEXTS;

/** Return a text of the history in a language. */
export function historyWord(word: HistoryWord, language: Language): string {
  const [en, hant, hans] = TEXTS[word];
  return { en, "zh-Hant": hant, "zh-Hans": hans }[language];
}

/** Return where one is in a replay: `step 3 of 12`. */
export function place(step: number, count: number, language: Language): string {
  return {
    en: `step ${step} of ${count}`,
    "zh-Hant": `第 ${step} 步，共 ${count} 步`,
    "zh-Hans": `第 ${step} 步，共 ${count} 步`,
  }[language];
}

/** Return the heading of a round: `Texas hold'em · round 118`. */
export function heading(game: string, round: string, language: Language): string {
  return { en: `${game} · round ${round}`, "zh-Hant": `${game} · 第 ${round} 局`, "zh-Hans": `${game} · 第 ${round} 局` }[language];
}
