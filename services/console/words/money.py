"""Texts of the money of the house and of the lines of its ledger."""

from typing import Final

from services.rules.text import Text

WORDS: Final[dict[str, Text]] = {
    "held.at_end": Text("Held at the end of that day", "該日結束時持有", "该日结束时持有"),
    "liability.of": Text(
        "The sum of wallets, chips at tables and carried pots.",
        "錢包、桌上籌碼與累積底池之和。",
        "钱包、桌上筹码与累积底池之和。",
    ),
    "cash.up": Text("Cash-up", "收支結算", "收支结算"),
    "cash.day": Text("One day (UTC)", "單日（UTC）", "单日（UTC）"),
    "cash.opening": Text("Cash at the beginning", "期初現金", "期初现金"),
    "cash.closing": Text("Cash at the end", "期末現金", "期末现金"),
    "players_won": Text("Players won or lost", "玩家輸贏", "玩家输赢"),
    "by_game.note": Text(
        "Turnover and payments count stakes, also those that come back, so no single line of the ledger holds them:"
        " paid back − turnover − fees is what the players won or lost.",
        "投注額與派彩包含退回的籌碼，總帳中沒有單獨的分錄：派彩 − 投注額 − 手續費，即為玩家輸贏。",
        "投注额与派彩包含退回的筹码，总账中没有单独的分录：派彩 − 投注额 − 手续费，即为玩家输赢。",
    ),
    "returns": Text("Return by game", "各遊戲回報率", "各游戏回报率"),
    "returns.plot": Text(
        "Dot: share of the stakes that was paid back; line: 95 % interval; upright mark: theoretical return of a bet.",
        "圓點：派彩佔投注額的比例；橫線：95% 信賴區間；豎線：各注的理論回報率。",
        "圆点：派彩占投注额的比例；横线：95% 置信区间；竖线：各注的理论回报率。",
    ),
    "returns.none": Text(
        "An interval needs two rounds of a game.", "需有兩局以上才能計算區間。", "需有两局以上才能计算区间。"
    ),
    "returns.odd": Text("outside its theory", "超出理論範圍", "超出理论范围"),
    "interval": Text("95 % interval", "95% 信賴區間", "95% 置信区间"),
    "interval.low": Text("Interval from", "區間下限", "区间下限"),
    "interval.high": Text("Interval to", "區間上限", "区间上限"),
    "ledger.title": Text("Lines of the ledger", "總帳分錄", "总账分录"),
    "ledger.sum": Text("Sum of all lines", "所有分錄合計", "所有分录合计"),
    "ledger.account": Text("Account", "帳戶", "账户"),
    "ledger.all": Text("all accounts", "所有帳戶", "所有账户"),
    "ledger.from": Text("From", "自", "自"),
    "ledger.to": Text("To", "至", "至"),
    "ledger.opening": Text("opening of the house", "開業", "开业"),
    "ledger.after": Text("Balance after", "結餘", "结余"),
    "ledger.none": Text("No line of the ledger is in this span.", "期間內沒有分錄。", "期间内没有分录。"),
    "account.wallet": Text("wallet", "錢包", "钱包"),
    "account.seat": Text("seat", "座位", "座位"),
    "account.pot": Text("carried pot", "累積底池", "累积底池"),
    "account.house": Text("house bank", "莊家", "庄家"),
    "account.fees": Text("fees and rake", "手續費與抽成", "手续费与抽成"),
    "account.cashier": Text("cashier", "出納", "出纳"),
    "entry.deposit": Text("deposit", "存入", "存入"),
    "entry.withdrawal": Text("withdrawal", "提領", "提取"),
    "entry.adjustment": Text("adjustment", "調整", "调整"),
    "entry.buy_in": Text("buy-in", "買入", "买入"),
    "entry.top_up": Text("top-up", "補籌碼", "补筹码"),
    "entry.cash_out": Text("cash-out", "離桌領回", "离桌领回"),
    "entry.round": Text("round", "牌局", "牌局"),
    "entry.void": Text("voided round", "作廢牌局", "作废牌局"),
    "entry.close": Text("table closed", "牌桌關閉", "牌桌关闭"),
    "entry.fund_pot": Text("pot funded", "注入底池", "注入底池"),
}
