"""Commands decided: deadlines, seeds, scripts, sealed actions, refusals that change nothing."""

import hashlib
from random import Random

import msgspec
import pytest

from services.fairness import seal, seed
from services.fairness.scripted import Script
from services.rules import actions, catalogue, random_play
from services.rules.game import Round
from services.rules.happenings import Decided, Noted
from services.rules.refusals import Refused
from services.table import codec, commands, event_fold, event_writer, events, full_table, player_seeds, public_table
from tests.support import sittings, worlds
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)


def waiting_clock(round_: Round | None) -> tuple[int, int] | None:
    """Return number and length of the running deadline."""
    waiting = round_.waiting() if round_ is not None else None
    return None if waiting is None else (waiting.clock, waiting.seconds)


def test_deadlines_run_on_while_the_clock_does_and_begin_anew_with_it() -> None:
    """In every game: an action under an unchanged clock keeps the deadline to the millisecond, a new clock starts one.

    After a deadline that passed the next one always begins anew, and none runs once the round has ended.
    """
    kept = begun = lapsed = 0
    for game in GAMES:
        rng = Random(f"{game} clocks")
        sitting = sittings.random_sitting(game, "clocks", rounds=0)
        sitting.start()
        while sitting.table.core.phase == public_table.IN_ROUND:
            before = (sitting.table.core.clock, sitting.table.core.deadline_ms)
            made = sitting.step(rng)[0]
            assert isinstance(made, events.ActionTaken | events.DeadlinePassed)
            found = waiting_clock(sitting.table.round)
            if found is None:
                assert (made.clock, made.deadline_ms) == (before[0], 0)
            elif isinstance(made, events.ActionTaken) and found[0] == before[0]:
                assert (made.clock, made.deadline_ms) == before
                kept += 1
            else:
                assert (made.clock, made.deadline_ms) == (found[0], made.at_ms + 1000 * found[1] + made.bank_ms)
                begun += isinstance(made, events.ActionTaken)
                lapsed += isinstance(made, events.DeadlinePassed)
        assert sitting.table.core.deadline_ms == 0
    assert min(kept, begun, lapsed) > 20


def test_a_window_keeps_its_deadline_until_all_have_acted() -> None:
    """Two seats choose multiples under one deadline of 15 s; the reveal begins its own (showdown, common windows)."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    started = sitting.start()[0]
    assert isinstance(started, events.RoundStarted)
    assert started.deadline_ms == started.at_ms + 15_000
    first = sitting.act(0, actions.BetMultiple(multiple=2))[0]
    second = sitting.act(1, actions.BetMultiple(multiple=3))[0]
    assert isinstance(first, events.ActionTaken)
    assert isinstance(second, events.ActionTaken)
    assert (first.clock, first.deadline_ms) == (started.clock, started.deadline_ms)
    assert second.clock > first.clock
    assert second.deadline_ms > first.deadline_ms


def test_no_deadline_passes_where_none_runs() -> None:
    """Before a round, and after its end, the table says that no deadline runs."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    for _ in range(2):
        with pytest.raises(Refused, match="no deadline") as caught:
            sitting.on_timeout()
        assert caught.value.reason == "ROUND_NOT_OPEN"
        if sitting.table.core.phase == public_table.OPEN:
            sitting.start()
            sitting.finish(Random(1))


@pytest.mark.parametrize("game", GAMES)
def test_a_refused_action_changes_nothing(game: str) -> None:
    """Whatever the rules refuse leaves the live table as it was, to the byte."""
    rng = Random(f"{game} refused")
    sitting = sittings.random_sitting(game, "refused", rounds=0)
    sitting.start()
    refusals = 0
    for _ in range(60):
        if sitting.table.round is None:
            break
        before = full_table.store(sitting.table)
        seat = rng.choice([*sitting.table.core.seats, 77])
        action = worlds.wild_action(sitting.table.round, rng)
        try:
            sitting.act(seat, action)
        except Refused:
            refusals += 1
            assert full_table.store(sitting.table) == before
    assert refusals or sitting.table.round is None


def test_a_second_round_waits_for_the_first() -> None:
    """No round starts in a round, nor before the last one is settled, nor at a closed table."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    with pytest.raises(Refused) as caught:
        sitting.start()
    assert caught.value.reason == "ROUND_IN_PROGRESS"
    sitting.finish(Random(1))
    with pytest.raises(Refused) as caught:
        sitting.start()
    assert caught.value.reason == "ROUND_IN_PROGRESS"
    sitting.settle()
    sitting.close()
    with pytest.raises(Refused) as caught:
        sitting.start()
    assert caught.value.reason == "TABLE_CLOSED"


@pytest.mark.parametrize("text", ["", "x" * 65, "two\nlines", "tab\t"])
def test_seeds_are_short_printable_texts(text: str) -> None:
    """Other seeds are refused with the bounds."""
    sitting = Sitting("tongbi_san_gong")
    with pytest.raises(Refused, match="1 to 64 printable") as caught:
        player_seeds.set_seed(sitting.table.core, 0, text, 1)
    assert caught.value.reason == "INVALID_ARGUMENT"


def test_the_longest_seed_of_any_script_fits_the_shuffle() -> None:
    """A text of 64 of the widest characters starts a round."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    sitting.take(player_seeds.set_seed(sitting.table.core, 0, "𠮷" * 64, 1))
    sitting.take(player_seeds.set_seed(sitting.table.core, 1, "a", 1))
    sitting.take(player_seeds.set_seed(sitting.table.core, 1, "b", 1))
    started = sitting.start()[0]
    assert isinstance(started, events.RoundStarted)
    assert started.player_seeds == {
        0: seed.digest(sitting.table_id, 1, 0, "𠮷" * 64),
        1: seed.digest(sitting.table_id, 1, 1, "b"),
    }


def test_a_players_text_is_not_kept() -> None:
    """The log holds the digest of a seed's text, which the player can make itself, and never the text."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    sitting.take(player_seeds.set_seed(sitting.table.core, 0, "canary of my own", 1))
    sitting.start()
    parts = [b"pitboss player seed v1", sitting.table_id.encode(), b"1", b"0", b"canary of my own"]
    frame = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    written = [codec.encode(event) for event in sitting.log]
    assert any(hashlib.sha256(frame).hexdigest() in text for text in written)
    assert not any("canary" in text for text in written)


def test_a_log_that_mixed_texts_is_decided_again_as_it_was() -> None:
    """A seed that an older house wrote as text goes into the round as that text."""
    texts, digests = Sitting("tongbi_san_gong"), Sitting("tongbi_san_gong")
    for sitting in (texts, digests):
        sitting.sit({0: 500, 1: 500})
    texts.take(player_seeds.note_seed(0, "lucky", 1))
    digests.take(player_seeds.set_seed(digests.table.core, 0, "lucky", 1))
    starts = [sitting.start()[0] for sitting in (texts, digests)]
    assert all(isinstance(started, events.RoundStarted) for started in starts)
    assert texts.table.dealing is not None
    assert texts.table.dealing.round_seed == seed.combine(
        texts.table.dealing.house_seed, texts.table_id, 1, {0: "lucky"}
    )
    assert texts.again().differences == digests.again().differences == []


def test_players_seeds_change_the_deck() -> None:
    """With the same house seed another seed of a player gives another order."""
    roots = set()
    for text in ("one", "other"):
        sitting = Sitting("tongbi_san_gong")
        sitting.sit({0: 500, 1: 500})
        sitting.take(player_seeds.set_seed(sitting.table.core, 0, text, 1))
        started = sitting.start()[0]
        assert isinstance(started, events.RoundStarted)
        roots.add(started.stocks[0].root)
        assert sitting.table.dealing is not None
        roots.add("".join(sitting.table.dealing.orders[0]))
    assert len(roots) == 4


def test_only_scripted_test_tables_take_scripts() -> None:
    """Scripts are refused at real tables, and in a house without scripted decks."""
    sitting = Sitting("tongbi_san_gong")
    for given in ({"test": False}, {"scripted": False}):
        core = msgspec.structs.replace(
            sitting.table.core, opening=msgspec.structs.replace(sitting.table.core.opening, **given)
        )
        with pytest.raises(Refused) as caught:
            commands.script_round(core, events.RoundScripted(at_ms=1, script=Script(), memory=None))
        assert caught.value.reason == "SCRIPTED_DECKS_OFF"


def sealed_actions() -> list[tuple[Sitting, int, events.ActionTaken]]:
    """Play rounds of the games that know secret actions until some were made."""
    found = []
    for game in ("five_card_draw", "four_knives", "napoleon", "spoil_five"):
        for number in range(4):
            sitting = sittings.random_sitting(game, f"sealed {number}", rounds=1)
            found += [
                (sitting, version, event)
                for version, event in enumerate(sitting.log, start=1)
                if isinstance(event, events.ActionTaken) and "sealed" in event.action
            ]
    return found


def test_secret_arguments_are_sealed_and_open_with_the_seed_alone() -> None:
    """The log shows name and seal; only the round's seed at this version opens the arguments."""
    found = sealed_actions()
    assert {event.action["is"] for _, _, event in found} >= {"draw", "arrange"}
    for sitting, version, event in found:
        assert set(event.action) == {"is", "sealed"}
        seed = full_table.deal(
            sitting.house_seed(event.round_number), "", core_before(sitting, version), seeds(sitting, event), None
        ).round_seed
        action = event_writer.read_action(event.action, seed, version)
        assert event_writer.write_action(action, seed, version, secret=True) == event.action
        assert event_writer.write_action(action, seed, version, secret=False)["is"] == action.name
        with pytest.raises(seal.TamperedError):
            event_writer.read_action(event.action, bytes(32), version)
        with pytest.raises(seal.TamperedError):
            event_writer.read_action(event.action, seed, version + 1)


def core_before(sitting: Sitting, version: int) -> public_table.PublicTable:
    """Return the public table before the round that holds a version."""
    start = max(at for at, event in enumerate(sitting.log[:version]) if isinstance(event, events.RoundStarted))
    event = sitting.log[start]
    assert isinstance(event, events.RoundStarted)
    return event_fold.restated_before(sitting.table_id, start + 1, event)


def seeds(sitting: Sitting, event: events.ActionTaken) -> dict[int, str]:
    """Return the players' seeds of the round of an action."""
    return next(
        one.player_seeds
        for one in sitting.log
        if isinstance(one, events.RoundStarted) and one.round_number == event.round_number
    )


def test_a_secret_action_that_the_system_decided_shows_its_name_only() -> None:
    """A deadline in a window of secret actions leaves no arguments in the record [R14]."""
    seen = 0
    for game in ("five_card_draw", "four_knives", "napoleon", "seven_card_stud"):
        for number in range(12):
            rng = Random(f"{game} {number}")
            sitting = sittings.random_sitting(game, f"late {number}", rounds=0)
            sitting.start()
            while sitting.table.round is not None:
                round_ = full_table.load(full_table.store(sitting.table)).round
                made = sitting.step(rng, lapses=0.3)[0]
                assert round_ is not None
                for entry in getattr(made, "happenings", ()):
                    if isinstance(entry, Decided):
                        assert not round_.secret(entry.action)
                    if isinstance(entry, Noted) and entry.what == "decided":
                        seen += 1
                        assert set(entry.facts) == {"action"}
    assert seen


def test_sealed_arguments_are_as_long_whatever_they_say() -> None:
    """Drawing nothing and drawing five cards are sealed in texts of one length."""
    few = event_writer.write_action(actions.Draw(discards=()), bytes(32), 9, secret=True)
    many = event_writer.write_action(actions.Draw(discards=("As", "Ks", "Qs", "Js", "Ts")), bytes(32), 9, secret=True)
    assert len(few["sealed"]) == len(many["sealed"])
    assert few["sealed"] != many["sealed"]


def test_why_nothing_can_be_done_between_rounds_is_said() -> None:
    """A free seat, a seat outside the round, one in it, and one during its settlement each have their own reason."""
    sitting = Sitting("texas_holdem")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    fold = actions.Fold()
    round_ = sitting.table.round
    assert round_ is not None
    waiting = round_.waiting()
    assert waiting is not None
    sitting.act(waiting.seats[0], fold)
    seats = {**dict.fromkeys((0, 1), "ROUND_NOT_OPEN"), 2: "NOT_SEATED"}
    for seat, reason in seats.items():
        with pytest.raises(Refused, match="settled" if reason == "ROUND_NOT_OPEN" else "not taken") as refused:
            sitting.act(seat, fold)
        assert refused.value.reason == reason
    sitting.settle()
    sitting.sit({2: 500})
    refusals = {
        1: ("ROUND_NOT_OPEN", "round"),
        2: ("NOT_SEATED", "was not in the round that is over"),
        3: ("NOT_SEATED", "is not taken"),
    }
    for seat, (reason, words) in refusals.items():
        with pytest.raises(Refused, match=words) as refused:
            sitting.act(seat, fold)
        assert refused.value.reason == reason, seat


def test_a_script_goes_on_where_it_was_after_the_table_was_stored() -> None:
    """What a scripted round draws after its start is what its script says, at a table that was loaded again too."""
    sitting = Sitting("tui_tong_zi")
    sitting.sit({0: 500, 1: 500})
    sitting.script(Script(dice=((6, 5),)))
    sitting.start()
    sitting.table = full_table.load(full_table.store(sitting.table))
    while sitting.table.core.phase == public_table.IN_ROUND:
        round_ = sitting.table.round
        assert round_ is not None
        waiting = round_.waiting()
        assert waiting is not None
        bets = [one for one in round_.options(waiting.seats[0]) if actions.BY_NAME[one.action].stakes]
        sitting.act(waiting.seats[0], random_play.sample(bets, Random(1)))
    dice = [
        one.facts["dice"]
        for event in sitting.log
        if isinstance(event, events.ActionTaken | events.DeadlinePassed)
        for one in event.happenings
        if isinstance(one, Noted) and one.what == "dice"
    ]
    assert [list(thrown) for thrown in dice] == [[6, 5]]
