"""What people read: every game's texts in three languages, and every word that play shows among its words."""

import re
from collections.abc import Iterator

import pytest

from services.house import settlement
from services.rules import catalogue
from services.rules.game import Game
from services.rules.text import Text

GAMES = list(catalogue.FILES)

CHINESE = re.compile(r"[\u4e00-\u9fff]")
TRADITIONAL = set(
    "籌碼點數莊閒對發贏輸總單雙與為無個這來時間開關會應將號貼線張從還沒過進選擇當牠級紅黑塊順兩條門蘿彩寶牌棄換輪棋際請並"
)
SIMPLIFIED = set(
    "筹码点数庄闲对发赢输总单双与为无个这来时间开关会应将号贴线张从还没过进选择当它级红黑块顺两条门萝彩宝牌弃换轮棋际请并"
)
ONLY_TRADITIONAL = TRADITIONAL - SIMPLIFIED
ONLY_SIMPLIFIED = SIMPLIFIED - TRADITIONAL - set("与个云")
AS_IN_THE_SEED = {"Miss"}
"""Names that the seed documents leave in English in the Chinese text."""

WORD = re.compile(r"[a-z][a-z0-9_:.-]*|[0-9]+-[0-9]+")


def texts_of(game: Game) -> Iterator[tuple[str, Text]]:
    """Return all texts of a game with their places."""
    rules = game.rules_type()
    yield "name", game.name
    yield "summary", game.summary
    yield "greatest_win", game.greatest_win(rules)
    yield from ((f"word {term.word}", term.text) for term in catalogue.vocabulary(game))
    yield from ((f"payout {payout.bet}", payout.wins) for payout in game.payouts(rules))


@pytest.mark.parametrize("game_id", GAMES)
def test_every_text_is_there_in_three_languages(game_id: str) -> None:
    """Each text has English without Chinese, and both scripts of Chinese, each in its own signs."""
    game = catalogue.game(game_id)
    for where, text in texts_of(game):
        assert text.en.strip(), f"{game_id}, {where}: no English"
        assert not CHINESE.search(text.en), f"{game_id}, {where}: Chinese in the English text"
        for script in (text.zh_hant, text.zh_hans):
            needed = re.search(r"[a-z]{3}", text.en) and text.en not in AS_IN_THE_SEED
            assert CHINESE.search(script) or not needed, f"{game_id}, {where}: {script!r}"
        assert not ONLY_SIMPLIFIED & set(text.zh_hant), f"{game_id}, {where}: {ONLY_SIMPLIFIED & set(text.zh_hant)}"
        assert not ONLY_TRADITIONAL & set(text.zh_hans), f"{game_id}, {where}: {ONLY_TRADITIONAL & set(text.zh_hans)}"


@pytest.mark.parametrize("game_id", GAMES)
def test_the_summary_tells_of_deadlines_disconnection_and_malfunction(game_id: str) -> None:
    """Requirement R16: what happens to a late decision, on disconnection and on malfunction can be read."""
    summary = catalogue.game(game_id).summary
    assert re.search(r"malfunction|void", summary.en, re.IGNORECASE)
    assert re.search(r"disconnect|connection", summary.en, re.IGNORECASE)
    assert re.search("故障|無效|作廢|作废", summary.zh_hant)
    assert re.search("斷線|離線|掉線|連線|斷開", summary.zh_hant)
    assert re.search("故障|无效|作废", summary.zh_hans)
    assert re.search("断线|离线|掉线|连线|断开", summary.zh_hans)


def test_settlement_explains_its_own_words() -> None:
    """The reasons that the pipeline adds have texts."""
    assert {settlement.NET, settlement.RAKE, "pot"} <= set(settlement.WORDS)
