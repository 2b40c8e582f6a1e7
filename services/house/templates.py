"""Table templates: what may be played, at which stakes, and what the opener of a table may vary.

Pure: storage, proposals and decisions are elsewhere.
"""

import hashlib
from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec

from services.house.appraisal import Appraisal
from services.rules import schema
from services.rules.chips import MOST_CHIPS
from services.rules.faults import Fault, out_of_range
from services.rules.game import Game, HouseRules
from services.rules.kinds import Integer
from services.rules.text import Text

PLAYERS, STAFF = "players", "staff"
OPENERS: Final = (PLAYERS, STAFF)

TITLE, STAKE, SEATS, TIMES, BUY_IN, PLAY = "title", "stake", "seats", "times", "buy_in", "play"
FIELDS: Final = (TITLE, STAKE, SEATS, TIMES, BUY_IN, PLAY)
"""The closed list of what a template may leave open."""

KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    SEATS: ("min_seats", "max_seats", "least_ready"),
    TIMES: (
        "turn_seconds",
        "bet_seconds",
        "claim_seconds",
        "start",
        "start_countdown_s",
        "ready_countdown_s",
        "seat_hold_s",
        "absent_rounds",
        "absent_minutes",
    ),
}
"""The house rules that each field stands for, in every game; ``STAKE`` stands for those of ``schema.stakes``."""

LONGEST_SHOWN: Final = 60
"""Characters of a value that fit into a refusal."""

LEAST_STAKES: Final = 20
"""Stakes that a seat brings at least, where nobody has set another bound."""
USUAL_RANGE: Final = 5
"""How many times the least buy-in the greatest is, where nobody has set another bound."""

NEVER: Final = ("fee_bps", "win_cap", "rake_bps", "rake_cap", "no_flop_no_drop", "banker", "idle_minutes")
"""House rules that nobody varies: the house's share, the caps of its payments, the banker, and when an idle table
closes."""


FIXED: Final = Text("the template fixes it", "此範本不可變更", "此模板不可更改")


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a template; amounts in chips, ``rules`` all house rules, ``currencies`` empty: every one.

    ``varies`` may be varied by every opener of a table, ``staff_varies`` only by staff.
    """

    template_id: str
    version: int
    game: str
    family: str
    rules_version: int
    title: str
    rules: dict[str, Any]
    openers: str = PLAYERS
    varies: tuple[str, ...] = ()
    staff_varies: tuple[str, ...] = ()
    least_stake: int
    greatest_stake: int
    currencies: tuple[str, ...] = ()
    least_buy_in: int = 0
    greatest_buy_in: int = 0
    appraisal: Appraisal

    def open_to(self, *, staff: bool) -> tuple[str, ...]:
        """Return the fields that this caller may vary."""
        return tuple(dict.fromkeys((*self.varies, *(self.staff_varies if staff else ()))))


def sizes_and_times(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the house rules by which a table waits: its seats, its times, its start."""
    return {key: rules[key] for key in (*KEYS[SEATS], *KEYS[TIMES]) if key in rules}


def sort_key(template_id: str, version: int, rules: Mapping[str, Any]) -> str:
    """Return a key that tables have in common that were opened from one version without varied seats or times."""
    kept = msgspec.json.encode(sizes_and_times(rules), order="sorted")
    return f"{template_id}@{version}#{hashlib.sha256(kept).hexdigest()[:16]}"


def keys_of(field: str, kind: type[HouseRules]) -> tuple[str, ...]:
    """Return the house rules of a game that a field stands for."""
    if field == STAKE:
        return schema.stakes(kind)
    known = schema.declared(kind)
    return tuple(key for key in KEYS.get(field, ()) if key in known)


def usual_buy_ins(game: Game, rules: HouseRules) -> tuple[int, int]:
    """Return the bounds of a buy-in where nobody names any: 20 to 100 stakes; (1, 0) in a game without a stake."""
    stake = game.stake(rules)
    if not stake:
        return 1, 0
    least = max(game.least_carry(rules), LEAST_STAKES * stake)
    return min(least, MOST_CHIPS), min(USUAL_RANGE * least, MOST_CHIPS)


def is_banked(rules: HouseRules) -> bool:
    """Return whether somebody banks in the game, the house or a seat."""
    return hasattr(rules, "banker")


def field_of(key: str, rules: HouseRules) -> str:
    """Return the field that opens a house rule; empty for one that none opens."""
    if key in NEVER:
        return ""
    named = next((field for field in (STAKE, *KEYS) if key in keys_of(field, type(rules))), "")
    return named or ("" if is_banked(rules) else PLAY)


def varied(terms: Terms, game: Game, given: Mapping[str, Any], *, staff: bool) -> tuple[dict[str, Any], list[Fault]]:
    """Return the house rules of a table that varies a template, and what the template does not allow, key by key.

    Only known keys of the game may be given; the game itself checks the values. A key that
    is closed keeps the template's value, so that it causes no further faults.
    """
    base = msgspec.convert(terms.rules, game.rules_type)
    able = terms.open_to(staff=staff)
    changed = {key: value for key, value in given.items() if not _same(value, terms.rules.get(key))}
    allowed = {key: value for key, value in changed.items() if field_of(key, base) in able}
    faults = [
        Fault(key, _closed(terms, game, key, value, able), FIXED)
        for key, value in changed.items()
        if key not in allowed
    ]
    faults += _ranges(terms, allowed, game)
    return _scaled({**terms.rules, **allowed}, allowed, terms), faults


def _same(value: Any, own: Any) -> bool:
    """Return whether a value is what the template says already; of a table of odds a part may be given."""
    if isinstance(value, dict) and isinstance(own, dict):
        return all(key in own and _same(entry, own[key]) for key, entry in value.items())
    if isinstance(value, list | tuple) and isinstance(own, list | tuple):
        return list(value) == list(own)
    return type(value) is type(own) and bool(value == own)


def _closed(terms: Terms, game: Game, key: str, value: Any, able: Collection[str]) -> str:
    right = f"leave it at {_shown(terms.rules.get(key))}"
    keys = [one for field in able for one in keys_of(field, game.rules_type)]
    may = f"open here: {', '.join(keys)}" if keys else "nothing of the rules is open here"
    return f"{_shown(value)}: template {terms.template_id} fixes it; {right}, {may}"


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def _ranges(terms: Terms, changed: Mapping[str, Any], game: Game) -> list[Fault]:
    """Check stakes and seats that are varied against the template's bounds; other kinds of values are the game's."""
    faults: list[Fault] = []
    main, stakes = game.stake_key, schema.stakes(game.rules_type)
    for key, value in changed.items():
        if not isinstance(value, int) or isinstance(value, bool):
            continue
        least, most = 0, MOST_CHIPS
        if key == main:
            least, most = terms.least_stake, terms.greatest_stake
        elif key == "max_bet":
            faults += _ratio(terms, {**terms.rules, **changed})
            continue
        elif key in stakes:
            most = terms.greatest_stake
        elif key == "max_seats" and terms.rules[key]:
            most = terms.rules[key]
        elif key == "min_seats":
            least = terms.rules[key]
        least, most = _within(game, key, terms, least, most)
        if not least <= value <= most:
            faults.append(_beyond(terms, key, value, least, most))
    return faults


def _within(game: Game, key: str, terms: Terms, least: int, most: int) -> tuple[int, int]:
    """Return the part of a template's range that the game takes, so that a refusal names what would be right."""
    kind = schema.declared(game.rules_type)[key].kind
    if not isinstance(kind, Integer):
        return least, most
    limit = game.limits(msgspec.convert(terms.rules, game.rules_type)).get(key)
    kind = kind.limited(limit) if limit is not None else kind
    lowest = 0 if kind.zero else kind.least
    return max(least, lowest), min(most, kind.greatest)


def _ratio(terms: Terms, wanted: Mapping[str, Any]) -> list[Fault]:
    """Check that the greatest bet is at most as many least bets as in the template: what a bet returns hangs on it."""
    own_most, own_least = terms.rules["max_bet"], terms.rules["min_bet"]
    most, least = wanted["max_bet"], wanted["min_bet"]
    if own_most == 0 or not isinstance(least, int) or 0 < most * own_least <= own_most * least:
        return []
    return [_beyond(terms, "max_bet", most, least, own_most * least // own_least, f"with min_bet {least} ")]


def _beyond(terms: Terms, key: str, value: int, least: int, greatest: int, when: str = "") -> Fault:
    """Return the fault of a number beyond what a template takes."""
    fault = out_of_range(key, value, least, greatest)
    message = f"{value} is out of range; {when}template {terms.template_id} takes {least} to {greatest}"
    return msgspec.structs.replace(fault, message=message)


def _scaled(rules: dict[str, Any], changed: Mapping[str, Any], terms: Terms) -> dict[str, Any]:
    """Scale the greatest bet with the least bet where only the latter is varied."""
    least, most = changed.get("min_bet"), terms.rules.get("max_bet", 0)
    if isinstance(least, int) and most and "max_bet" not in changed:
        return {**rules, "max_bet": most * least // terms.rules["min_bet"]}
    return rules
