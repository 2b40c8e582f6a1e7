"""Texts of the frame: sign-in, tabs, search, forms, refusals, lists."""

from typing import Final

from services.rules.text import Text

WORDS: Final[dict[str, Text]] = {
    "console": Text("Console", "管理台", "管理台"),
    "skip": Text("Skip to the content", "跳到內容", "跳到内容"),
    "language": Text("Language", "語言", "语言"),
    "pages": Text("Pages", "頁面", "页面"),
    "sign_in": Text("Sign in", "登入", "登录"),
    "sign_out": Text("Sign out", "登出", "退出"),
    "sign_in.how": Text(
        "Staff sign in with a one-time link. Ask an administrator of the house for one; on the house's machine it is"
        " made by:",
        "員工以一次性連結登入。請向管理員索取；在賭場的主機上可用以下指令產生：",
        "员工以一次性链接登录。请向管理员索取；在赌场的主机上可用以下命令生成：",
    ),
    "token": Text("Or your own token of this house", "或輸入您在本賭場的權杖", "或输入您在本赌场的令牌"),
    "wrong.token": Text(
        "This token is not valid here, or its role has no place in the console.",
        "此權杖在本賭場無效，或其身分無權使用管理台。",
        "此令牌在本赌场无效，或其身份无权使用管理台。",
    ),
    "refused.error": Text(
        "Something went wrong in the console. It is in its log; try again, or call an engineer.",
        "管理台發生錯誤，已記入日誌。請再試一次，或聯絡工程師。",
        "管理台发生错误，已记入日志。请再试一次，或联系工程师。",
    ),
    "sign_in.link": Text(
        "This link signs you in once. Press to use it.",
        "此連結只能登入一次。按下即使用。",
        "此链接只能登录一次。按下即使用。",
    ),
    "wrong.link": Text(
        "This link was used already, or it is not one of this house. Ask for a new one.",
        "此連結已使用過，或不屬於本賭場。請索取新的連結。",
        "此链接已使用过，或不属于本赌场。请索取新的链接。",
    ),
    "wrong.page": Text("There is no such page.", "沒有這個頁面。", "没有这个页面。"),
    "wrong.number": Text(
        "The amount must be a whole number, such as 1,200 or -300.",
        "金額必須是整數，例如 1,200 或 -300。",
        "金额必须是整数，例如 1,200 或 -300。",
    ),
    "wrong.date": Text(
        "The date must be of the form 2026-12-31, in the future.",
        "日期格式須為 2026-12-31，且須在未來。",
        "日期格式须为 2026-12-31，且须在未来。",
    ),
    "needed.reason": Text("Write down the reason.", "請填寫原因。", "请填写原因。"),
    "refused": Text("This was refused", "已被拒絕", "已被拒绝"),
    "refused.back": Text("Back to the floor", "返回牌桌現況", "返回牌桌现况"),
    "refused.role": Text(
        "Your role may not see this page. Ask somebody whose role may.",
        "您的身分無權查看此頁。請找有權限的人員。",
        "您的身份无权查看此页。请找有权限的人员。",
    ),
    "refused.form": Text(
        "The form was not sent from this page, or your sign-in has changed. Open the page again and repeat it.",
        "此表單並非由本頁送出，或您的登入狀態已改變。請重新開啟頁面再試。",
        "此表单并非由本页提交，或您的登录状态已改变。请重新打开页面再试。",
    ),
    "role.operator": Text("operator", "營運人員", "运营人员"),
    "role.auditor": Text("auditor", "稽核人員", "稽核人员"),
    "tab.floor": Text("Floor", "牌桌現況", "牌桌现况"),
    "tab.players": Text("Players", "玩家", "玩家"),
    "tab.money": Text("Money", "帳務", "账务"),
    "tab.inbox": Text("Inbox", "待決事項", "待决事项"),
    "tab.operation": Text("Operation", "營運", "运营"),
    "search.label": Text("Search any id", "搜尋任何編號", "搜索任何编号"),
    "search.hint": Text("table, table/round, player …", "牌桌、牌桌/局、玩家…", "牌桌、牌桌/局、玩家…"),
    "search.none": Text("Nothing has this id", "找不到此編號", "找不到此编号"),
    "search.none.how": Text(
        "“{wanted}” names no table, round, player or checkpoint. A round is found by table and number: TABLE/12.",
        "「{wanted}」不是任何牌桌、牌局、玩家或檢查點。牌局請以牌桌與局號搜尋：牌桌/12。",
        "“{wanted}”不是任何牌桌、牌局、玩家或检查点。牌局请以牌桌与局号搜索：牌桌/12。",
    ),
    "first_page": Text("First page", "第一頁", "第一页"),
    "next_page": Text("Next page", "下一頁", "下一页"),
    "show": Text("Show", "顯示", "显示"),
    "reason": Text("Reason", "原因", "原因"),
    "when": Text("When", "時間", "时间"),
    "what": Text("What", "事項", "事项"),
    "amount": Text("Amount", "金額", "金额"),
    "currency": Text("Currency", "幣別", "币种"),
    "done.voided": Text(
        "The round is void; all stakes are back.", "本局已作廢，籌碼已全數退回。", "本局已作废，筹码已全数退回。"
    ),
    "done.void_waits": Text(
        "The request waits for a second person in the inbox; the round goes on until then.",
        "申請已送出，等待第二人在待決事項中決定；在此之前牌局繼續。",
        "申请已提交，等待第二人在待决事项中决定；在此之前牌局继续。",
    ),
    "done.closed": Text("The table is closed.", "牌桌已關閉。", "牌桌已关闭。"),
}
