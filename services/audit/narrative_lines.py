"""The sentences of a round's narrative, in the languages of the house."""

from typing import Final

from services.rules.text import Text

LINES: Final[dict[str, Text]] = {
    "started": Text(
        "Round {number} of {game}: {players}", "第 {number} 局 {game}：{players}", "第 {number} 局 {game}：{players}"
    ),
    "unknown_rules": Text(
        "Version {version} of the rules of {game} is not kept here ({known}); the words below are those of the record",
        "此處未保存 {game} 的第 {version} 版規則（現有：{known}）；以下為紀錄原文",
        "此处未保存 {game} 的第 {version} 版规则（现有：{known}）；以下为记录原文",
    ),
    "seated": Text("{name} with {chips}", "{name} 帶入 {chips}", "{name} 带入 {chips}"),
    "dealt": Text("{who} gets {cards} ({zone})", "{who} 得牌 {cards}（{zone}）", "{who} 得牌 {cards}（{zone}）"),
    "shown": Text("{who} shows {cards}", "{who} 亮牌 {cards}", "{who} 亮牌 {cards}"),
    "staked": Text("{who} puts in {amount} ({what})", "{who} 下注 {amount}（{what}）", "{who} 下注 {amount}（{what}）"),
    "returned": Text("{who} gets back {amount}", "退回 {who} {amount}", "退回 {who} {amount}"),
    "phase": Text("— {name} —", "— {name} —", "— {name} —"),
    "acts": Text("{who}: {action}", "{who}：{action}", "{who}：{action}"),
    "sealed": Text("sealed", "密封", "密封"),
    "timeout": Text(
        "{who}: {action} (decided by the system, the time was up)",
        "{who}：{action}（逾時，系統代為決定）",
        "{who}：{action}（超时，系统代为决定）",
    ),
    "deadline": Text("The time is up", "時間到", "时间到"),
    "noted": Text("{what} {who} {facts}", "{what} {who} {facts}", "{what} {who} {facts}"),
    "hand": Text("{who} has {hand}", "{who} 的牌型：{hand}", "{who} 的牌型：{hand}"),
    "two_hands": Text(
        "{who} has {hand}; with the second board {second}",
        "{who} 的牌型：{hand}；第二副公牌：{second}",
        "{who} 的牌型：{hand}；第二副公牌：{second}",
    ),
    "shuffled": Text("{size} cards are shuffled", "洗牌 {size} 張", "洗牌 {size} 张"),
    "main_pot": Text("main pot of {amount:,}", "主池 {amount:,}", "主池 {amount:,}"),
    "side_pot": Text("side pot {number} of {amount:,}", "邊池 {number} {amount:,}", "边池 {number} {amount:,}"),
    "won": Text("{pot}: {who} wins", "{pot}：{who} 贏得", "{pot}：{who} 赢得"),
    "won_with": Text("{pot}: {who} wins with {hand}", "{pot}：{who} 以{hand}贏得", "{pot}：{who} 以{hand}赢得"),
    "shared": Text("{pot}: {who} share it", "{pot}：{who} 平分", "{pot}：{who} 平分"),
    "shared_with": Text("{pot}: {who} share it with {hand}", "{pot}：{who} 以{hand}平分", "{pot}：{who} 以{hand}平分"),
    "first_board": Text("{pot}, first board", "{pot}，第一副公牌", "{pot}，第一副公牌"),
    "second_board": Text("second board", "第二副公牌", "第二副公牌"),
    "high_half": Text("{pot}, high half", "{pot}，高牌一半", "{pot}，高牌一半"),
    "low_half": Text("low half", "低牌一半", "低牌一半"),
    "halves": Text("{high}; {low}", "{high}；{low}", "{high}；{low}"),
    "and": Text(" and ", "、", "、"),
    "best": Text("{words} ({cards})", "{words}（{cards}）", "{words}（{cards}）"),
    "claim": Text(
        "{payer} pays {payee} {amount} ({why})",
        "{payer} 付 {payee} {amount}（{why}）",
        "{payer} 付 {payee} {amount}（{why}）",
    ),
    "seat": Text("seat {seat} {name}", "座位 {seat} {name}", "座位 {seat} {name}"),
    "result": Text(
        "{who}: {cards}{before:,} → {after:,} ({net:+,})",
        "{who}：{cards}{before:,} → {after:,}（{net:+,}）",
        "{who}：{cards}{before:,} → {after:,}（{net:+,}）",
    ),
    "fee": Text("Fees and rake: {fee}", "手續費與抽成：{fee}", "手续费与抽成：{fee}"),
    "moved": Text(
        "From the next round on the table plays by version {version} of the rules, until now by {was}: {reason}",
        "自下一局起改用第 {version} 版規則（原為第 {was} 版）：{reason}",
        "自下一局起改用第 {version} 版规则（原为第 {was} 版）：{reason}",
    ),
    "voided": Text(
        "The round is void, all stakes are back: {reason}",
        "本局作廢，籌碼全數退回：{reason}",
        "本局作废，筹码全数退回：{reason}",
    ),
    "seed_lost": Text(
        "Its cards stay hidden: the key to its seed was gone",
        "本局的牌無法公開：種子的金鑰已遺失",
        "本局的牌无法公开：种子的密钥已遗失",
    ),
    "house": Text("the house", "莊家（賭場）", "庄家（赌场）"),
    "table": Text("the table", "牌桌", "牌桌"),
    "pot": Text("the pot", "底池", "底池"),
}
