"""The short text of each reason for players, in the three languages of the house.

A refusal may say more: with figures (``services.rules.refusal_figures``), of an illegal action
(``services.rules.illegal_actions``), or with a text of its own (``Refused.text``).
"""

from typing import Final

from services.rules.refusals import Reason
from services.rules.text import Text

TEXTS: Final[dict[Reason, Text]] = {
    Reason.OUT_OF_TURN: Text("It is not your turn.", "還沒輪到你。", "还没轮到你。"),
    Reason.ILLEGAL_ACTION: Text("That is not possible now.", "現在不能這樣做。", "现在不能这样做。"),
    Reason.AMOUNT_OUT_OF_RANGE: Text("The amount is not allowed.", "金額不在允許範圍內。", "金额不在允许范围内。"),
    Reason.INSUFFICIENT_CHIPS: Text("Not enough chips at the table.", "桌上籌碼不足。", "桌上筹码不足。"),
    Reason.CARD_NOT_HELD: Text("You do not hold that card.", "你沒有這張牌。", "你没有这张牌。"),
    Reason.ILLEGAL_CARDS: Text("These cards cannot be played now.", "現在不能出這些牌。", "现在不能出这些牌。"),
    Reason.NOT_SEATED: Text("You are not in this round.", "你不在這一局中。", "你不在这一局中。"),
    Reason.ROUND_NOT_OPEN: Text("No round is open for that.", "目前沒有進行中的牌局。", "目前没有进行中的牌局。"),
    Reason.NOT_ENOUGH_SEATS: Text("Too few players to start.", "人數不足，無法開局。", "人数不足，无法开局。"),
    Reason.TABLE_NOT_FOUND: Text("There is no such table.", "找不到這張桌。", "找不到这张桌。"),
    Reason.SEAT_TAKEN: Text("The seat is taken.", "這個座位已有人。", "这个座位已有人。"),
    Reason.TABLE_FULL: Text("The table is full.", "這張桌已滿。", "这张桌已满。"),
    Reason.TABLE_CLOSED: Text("The table is closed.", "這張桌已關閉。", "这张桌已关闭。"),
    Reason.ALREADY_SEATED: Text("You already sit at this table.", "你已坐在這張桌。", "你已坐在这张桌。"),
    Reason.MATCH_IN_PROGRESS: Text(
        "A match is being played; you can join when it is over.",
        "賽局正在進行，結束後才能入座。",
        "赛局正在进行，结束后才能入座。",
    ),
    Reason.HOUSE_STARTS: Text("The house starts the rounds here.", "本桌由系統自動開局。", "本桌由系统自动开局。"),
    Reason.SEAT_HELD: Text(
        "The free seats are held for players who wait.", "空位正為候補的玩家保留。", "空位正为候补的玩家保留。"
    ),
    Reason.SEAT_RESERVED: Text(
        "The seat is reserved for another player.", "此座位已為其他玩家預留。", "此座位已为其他玩家预留。"
    ),
    Reason.LINE_FULL: Text("The waiting list is full.", "候補名單已滿。", "候补名单已满。"),
    Reason.INVITATION_NEEDED: Text(
        "This table is private; you need an invitation.",
        "這是私人牌桌，需有邀請才能進入。",
        "这是私人牌桌，需有邀请才能进入。",
    ),
    Reason.INVITATION_INVALID: Text(
        "The invitation is not valid, or no longer.", "邀請碼無效或已失效。", "邀请码无效或已失效。"
    ),
    Reason.ROUND_IN_PROGRESS: Text("A round is in progress.", "牌局正在進行。", "牌局正在进行。"),
    Reason.STALE_VERSION: Text(
        "The table has moved on; look again.", "桌面已更新，請重新查看。", "桌面已更新，请重新查看。"
    ),
    Reason.REQUEST_CONFLICT: Text(
        "This request id was used for something else.", "此請求編號已用於其他內容。", "此请求编号已用于其他内容。"
    ),
    Reason.SEEDS_CLOSED: Text("Seeds for this round are closed.", "本局已停止接受種子。", "本局已停止接受种子。"),
    Reason.UNKNOWN_GAME: Text("There is no such game.", "沒有這個遊戲。", "没有这个游戏。"),
    Reason.UNKNOWN_RULES: Text(
        "This house does not keep that version of the rules.", "本場沒有這個版本的規則。", "本场没有这个版本的规则。"
    ),
    Reason.HOUSE_RULE_OUT_OF_RANGE: Text(
        "A house rule has a value that is not allowed.", "房規的數值不被允許。", "房规的数值不被允许。"
    ),
    Reason.SCRIPTED_DECKS_OFF: Text(
        "This house accepts no scripted decks.", "本場不接受預設牌序。", "本场不接受预设牌序。"
    ),
    Reason.TEST_ONLY: Text(
        "That is for test tables and test players only.", "僅限測試桌與測試玩家。", "仅限测试桌与测试玩家。"
    ),
    Reason.WRONG_FAMILY: Text(
        "This dealer does not serve that game.", "此莊家服務不提供這個遊戲。", "此庄家服务不提供这个游戏。"
    ),
    Reason.RETURN_TOO_HIGH: Text(
        "The house cannot bank these rules.", "此規則下賭場不能作莊。", "此规则下赌场不能作庄。"
    ),
    Reason.TEMPLATE_CLOSED: Text("No table can be opened like this.", "不能以此方式開桌。", "不能以此方式开桌。"),
    Reason.INSUFFICIENT_FUNDS: Text("Your balance is too low.", "餘額不足。", "余额不足。"),
    Reason.WRONG_CURRENCY: Text("The currency does not match.", "幣別不符。", "币种不符。"),
    Reason.LIMIT_REACHED: Text("A limit has been reached.", "已達上限。", "已达上限。"),
    Reason.SWITCHED_OFF: Text("This is switched off at the moment.", "目前已暫停開放。", "目前已暂停开放。"),
    Reason.EXCLUDED: Text("This player is excluded from play.", "此玩家已被排除。", "此玩家已被排除。"),
    Reason.SECOND_PERSON_NEEDED: Text("A second person must approve this.", "須由另一人核准。", "须由另一人核准。"),
    Reason.PLAYER_SEATED: Text("The player still sits at a table.", "該玩家仍坐在牌桌上。", "该玩家仍坐在牌桌上。"),
    Reason.ALREADY_DECIDED: Text("This has been decided already.", "此事項已有決定。", "此事项已有决定。"),
    Reason.INVALID_ARGUMENT: Text("Something in the request is not right.", "請求內容有誤。", "请求内容有误。"),
    Reason.MALFORMED_REQUEST: Text("The request cannot be read.", "無法讀取請求。", "无法读取请求。"),
    Reason.NOT_FOUND: Text("There is no such thing.", "找不到所要的項目。", "找不到所要的项目。"),
    Reason.ROUND_STILL_OPEN: Text("The round has not ended yet.", "這一局尚未結束。", "这一局尚未结束。"),
    Reason.HISTORY_CHANGED: Text("Records of the past were changed.", "過去的紀錄遭到更動。", "过去的记录遭到更改。"),
    Reason.UNAUTHENTICATED: Text("Please sign in.", "請先登入。", "请先登录。"),
    Reason.PERMISSION_DENIED: Text("You may not do that.", "你沒有權限。", "你没有权限。"),
    Reason.DEADLINE_EXCEEDED: Text("It took too long; try again.", "處理逾時，請再試。", "处理超时，请再试。"),
    Reason.TOO_MANY_REQUESTS: Text("Too many requests; slow down.", "請求過多，請稍候。", "请求过多，请稍候。"),
    Reason.UNAVAILABLE: Text(
        "The house is not available; try again.", "服務暫時無法使用，請再試。", "服务暂时无法使用，请再试。"
    ),
    Reason.SHUTTING_DOWN: Text(
        "This server is stopping; connect again.", "伺服器正在停止，請重新連線。", "服务器正在停止，请重新连接。"
    ),
    Reason.INTERNAL: Text("Something went wrong on our side.", "系統發生錯誤。", "系统发生错误。"),
}

assert set(TEXTS) == set(Reason), f"reasons without a text: {set(Reason) - set(TEXTS)}"
