"""Texts of an ended round and of its proofs."""

from typing import Final

from services.rules.text import Text

WORDS: Final[dict[str, Text]] = {
    "round.title": Text("Round {number}", "第 {number} 局", "第 {number} 局"),
    "round.previous": Text("Round before", "上一局", "上一局"),
    "round.next": Text("Round after", "下一局", "下一局"),
    "print": Text("Print", "列印", "打印"),
    "started": Text("Started", "開始", "开始"),
    "ended": Text("Ended", "結束", "结束"),
    "status": Text("Status", "狀態", "状态"),
    "status.settled": Text("settled", "已結算", "已结算"),
    "status.voided": Text("voided", "已作廢", "已作废"),
    "rules": Text("Rules", "規則", "规则"),
    "rules.version": Text("version {number}", "第 {number} 版", "第 {number} 版"),
    "fees": Text("Fees and rake", "手續費與抽成", "手续费与抽成"),
    "fee": Text("Fee", "手續費", "手续费"),
    "hand": Text("Hand", "牌型", "牌型"),
    "before": Text("Before", "局前", "局前"),
    "after": Text("After", "局後", "局后"),
    "net": Text("Won or lost", "輸贏", "输赢"),
    "course": Text("Course", "過程", "过程"),
    "by.player": Text("player", "玩家", "玩家"),
    "by.clock": Text("clock", "計時", "计时"),
    "by.staff": Text("staff", "員工", "员工"),
    "by.house": Text("house", "賭場", "赌场"),
    "step.TableOpened": Text("The table was opened.", "牌桌已開。", "牌桌已开。"),
    "step.SeatTaken": Text("A player took a seat.", "有玩家入座。", "有玩家入座。"),
    "step.ChipsAdded": Text("A player added chips.", "有玩家加碼。", "有玩家加码。"),
    "step.LeaveAsked": Text("A player leaves after this round.", "有玩家將於本局後離座。", "有玩家将于本局后离座。"),
    "step.SeatLeft": Text("A player left the seat.", "有玩家離座。", "有玩家离座。"),
    "step.SatOut": Text("A player sits out.", "有玩家暫離。", "有玩家暂离。"),
    "step.SatIn": Text("A player is back.", "有玩家回座。", "有玩家回座。"),
    "step.RemovedForAbsence": Text("An absent player was removed.", "離席玩家已被移出。", "离席玩家已被移出。"),
    "step.TopUpSet": Text("A player changed its top-up.", "有玩家更改自動補碼。", "有玩家更改自动补码。"),
    "step.TopUpFailed": Text("A top-up was not possible.", "未能自動補碼。", "未能自动补码。"),
    "step.SeedSet": Text(
        "A player set a seed for the next round.", "有玩家為下一局設定種子。", "有玩家为下一局设定种子。"
    ),
    "step.ActedBetween": Text(
        "A player decided for the next round.", "有玩家為下一局作出選擇。", "有玩家为下一局作出选择。"
    ),
    "step.PotFunded": Text("Chips were added to the pot.", "底池已加入籌碼。", "底池已加入筹码。"),
    "step.RoundScripted": Text(
        "A test fixed the cards of the next round.", "測試已指定下一局的牌。", "测试已指定下一局的牌。"
    ),
    "step.RulesMoved": Text("The table moved to other rules.", "牌桌改用其他規則版本。", "牌桌改用其他规则版本。"),
    "step.StakesAllowed": Text(
        "The house allowed stakes within the players' limits.",
        "賭場已依玩家限額允許投注。",
        "赌场已依玩家限额允许投注。",
    ),
    "step.RoundStarted": Text("The round started.", "牌局開始。", "牌局开始。"),
    "step.ActionTaken": Text("A player decided.", "玩家已行動。", "玩家已行动。"),
    "step.DeadlinePassed": Text("Time ran out.", "時間已到。", "时间已到。"),
    "step.RoundEnded": Text(
        "Play has ended; claims follow from the cards.", "牌局打完，依牌計算輸贏。", "牌局打完，按牌计算输赢。"
    ),
    "step.RoundSettled": Text("The round was settled.", "牌局已結算。", "牌局已结算。"),
    "step.RoundVoided": Text("The round was voided.", "牌局已作廢。", "牌局已作废。"),
    "step.TableClosed": Text("The table was closed.", "牌桌已關閉。", "牌桌已关闭。"),
    "step.WaitingJoined": Text("A player waits for a seat.", "有玩家開始候位。", "有玩家开始候位。"),
    "step.WaitingLeft": Text("A player left the waiting list.", "有玩家取消候位。", "有玩家取消候位。"),
    "step.WaitingEnded": Text("A player waited too long for a seat.", "有玩家候位逾時。", "有玩家候位超时。"),
    "step.SeatReserved": Text("A seat was reserved.", "已保留一個座位。", "已保留一个座位。"),
    "step.ReservationReleased": Text("A reserved seat was released.", "已釋出保留的座位。", "已释放保留的座位。"),
    "step.ReservationsEnded": Text(
        "A reserved seat was not taken in time.", "保留的座位逾時未入座。", "保留的座位超时未入座。"
    ),
    "step.InvitationMade": Text("An invitation was made.", "已建立邀請。", "已创建邀请。"),
    "step.InvitationAccepted": Text("An invitation was accepted.", "邀請已被接受。", "邀请已被接受。"),
    "step.InvitationRevoked": Text("An invitation was revoked.", "邀請已撤銷。", "邀请已撤销。"),
    "step": Text("Table after this step", "此步之後的牌桌", "此步之后的牌桌"),
    "step.of": Text(
        "Table after step {number} of {all}",
        "第 {number} 步之後的牌桌（共 {all} 步）",
        "第 {number} 步之后的牌桌（共 {all} 步）",
    ),
    "step.previous": Text("back", "上一步", "上一步"),
    "step.next": Text("on", "下一步", "下一步"),
    "proofs": Text("Proofs", "證明", "证明"),
    "proofs.checking": Text("The house checks this round …", "正在檢查本局…", "正在检查本局…"),
    "proof.good": Text("holds", "成立", "成立"),
    "proof.open": Text("open", "未定", "未定"),
    "proof.bad": Text("does not hold", "不成立", "不成立"),
    "proof.chain": Text("Chain", "雜湊鏈", "哈希链"),
    "proof.chain.holds": Text(
        "All {number} events of the round follow each other unchanged; the last hash begins with {hash}.",
        "本局 {number} 個事件依序相連、未經更改；最後的雜湊以 {hash} 開頭。",
        "本局 {number} 个事件依序相连、未经更改；最后的哈希以 {hash} 开头。",
    ),
    "proof.deck": Text("Deck", "牌序", "牌序"),
    "proof.deck.holds": Text(
        "The order of the cards follows from the seed that was committed to before the round, and from the players'"
        " seeds.",
        "牌的順序由開局前承諾的種子與玩家的種子決定，核對無誤。",
        "牌的顺序由开局前承诺的种子与玩家的种子决定，核对无误。",
    ),
    "proof.replay": Text("Replay", "重演", "重演"),
    "proof.replay.holds": Text(
        "{number} events were replayed by the rules, with the same results; the ledger agrees.",
        "已依規則重新判定 {number} 個事件，結果相同，且與總帳一致。",
        "已依规则重新判定 {number} 个事件，结果相同，且与总账一致。",
    ),
    "proof.checkpoint": Text("Checkpoint", "檢查點", "检查点"),
    "proof.checkpoint.holds": Text(
        "Signed checkpoint {number} covers this round.",
        "已簽署的檢查點 {number} 涵蓋本局。",
        "已签署的检查点 {number} 涵盖本局。",
    ),
    "proof.checkpoint.later": Text(
        "The newest checkpoint was signed before this round ended; the next one covers it.",
        "最新的檢查點在本局結束前簽署；下一個檢查點將涵蓋本局。",
        "最新的检查点在本局结束前签署；下一个检查点将涵盖本局。",
    ),
    "proof.checkpoint.none": Text("No checkpoint was signed yet.", "尚未簽署任何檢查點。", "尚未签署任何检查点。"),
}
