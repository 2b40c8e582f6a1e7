// What the table itself says; the words of games come from the contract.

import type { Language } from "../words/language.js";

const TEXTS = {
  yourTurn: ["Your turn", "輪到你", "轮到你"],
  you: ["you", "你", "你"],
  toAct: ["to act", "行動中", "行动中"],
  waiting: ["Waiting for the next round", "等待下一局", "等待下一局"],
  pot: ["Pot", "底池", "底池"],
  sidePot: ["Side pot", "邊池", "边池"],
  total: ["Total", "合計", "合计"],
  button: ["Dealer button", "莊家鈕", "庄家钮"],
  sit: ["Sit here", "坐下", "坐下"],
  seat: ["Seat", "座位", "座位"],
  away: ["Sits out", "暫離", "暂离"],
  house: ["House", "賭場", "赌场"],
  carried: ["Pool", "累積彩池", "累积彩池"],
  bet: ["Bet", "已下", "已下"],
  staked: ["At stake", "本局已投", "本局已投"],
  cardsLeft: ["Cards", "張數", "张数"],
  tricks: ["Tricks", "墩數", "墩数"],
  hint: ["Hint", "提示", "提示"],
  clear: ["Clear", "清除", "清除"],
  choose: ["Choose cards", "選牌", "选牌"],
  amount: ["Amount", "金額", "金额"],
  less: ["Less", "減少", "减少"],
  more: ["More", "增加", "增加"],
  options: ["What you can do", "可選動作", "可选动作"],
  players: ["Players", "玩家", "玩家"],
  middle: ["Table", "牌桌", "牌桌"],
  ownHand: ["Your hand", "你的手牌", "你的手牌"],
  again: ["Press again to confirm", "再按一次確認", "再按一次确认"],
  results: ["Result", "結果", "结果"],
  voided: ["The round was voided. All chips of the round went back.", "本局作廢，籌碼全數退回。", "本局作废，筹码全数退回。"],
  even: ["Nobody wins or loses", "不輸不贏", "不输不赢"],
  nextRound: ["Next round", "下一局", "下一局"],
  seconds: ["seconds left", "秒", "秒"],
  happened: ["What happened", "經過", "经过"],
  tap: ["Tap a spot to put down", "點選下注區，每次放", "点选下注区，每次放"],
  pays: ["pays", "賠", "赔"],
  multiple: ["Multiplier", "倍數", "倍数"],
  winner: ["Wins", "贏家", "赢家"],
  programme: ["House player", "機器玩家", "机器玩家"],
  handIs: ["Hand", "牌型", "牌型"],
  makesPot: ["Pot after", "底池變為", "底池变为"],
  rank: ["Place", "名次", "名次"],
  fourColours: ["Four colours of suits", "四色花色", "四色花色"],
} as const satisfies Record<string, readonly [string, string, string]>;

export type TextKey = keyof typeof TEXTS;

/** Return a text of the table in a language. */
export function text(key: TextKey, language: Language): string {
  const [en, hant, hans] = TEXTS[key];
  return { en, "zh-Hant": hant, "zh-Hans": hans }[language];
}
