"""The house's standard templates: one for each game, built in, so that a fresh house can be played at once."""

import functools
from fractions import Fraction
from typing import Any, Final

import msgspec

from services.house import appraisal, templates
from services.house.appraisal import HOUSE, Appraisal, BetReturn
from services.house.templates import Terms
from services.rules import catalogue
from services.rules.game import Game, HouseRules

GREATEST_STAKE: Final = 1_000_000


def known(template_id: str) -> bool:
    """Return whether an id is that of a standard template: the id of a game."""
    return template_id in catalogue.FILES


def all_terms() -> list[Terms]:
    """List the standard templates in the order of the catalogue."""
    return [terms(game_id) for game_id in catalogue.FILES]


@functools.cache
def terms(game_id: str) -> Terms:
    """Return the standard template of a game: the defaults of its sheet, as far as the house can bank them.

    Players may vary title, stake, seats, times and buy-in; staff also the rules of play if nobody banks.
    """
    game = catalogue.game(game_id)
    rules = game.standard_rules()
    known_returns = appraised(game, rules)
    assert known_returns is not None, f"what {game_id} returns by its standard rules must be known"
    stake = game.stake(rules)
    return Terms(
        template_id=game_id,
        version=game.version,
        game=game_id,
        family=game.family,
        rules_version=game.version,
        title=game.name.en,
        rules=msgspec.to_builtins(rules),
        varies=(templates.TITLE, templates.STAKE, templates.SEATS, templates.TIMES, templates.BUY_IN),
        staff_varies=() if templates.is_banked(rules) else (templates.PLAY,),
        least_stake=min(1, stake),
        greatest_stake=GREATEST_STAKE,
        appraisal=known_returns,
    )


def appraised(game: Game, rules: HouseRules) -> Appraisal | None:
    """Return what is known of the bets of rules: enumerated, or simulated once for rules that pay the same.

    None: only a simulation of these rules shows it.
    """
    found = appraisal.enumerated(game, rules)
    if found is None and game.trial_returns and _paying(rules) == _paying(game.standard_rules()):
        figures = (BetReturn(**msgspec.structs.asdict(one)) for one in game.trial_returns)
        return Appraisal(banker=HOUSE, returns=tuple(figures))
    return found


def _paying(rules: HouseRules) -> dict[str, Any]:
    """Return what bears on the returns of a simulated game: neither stake, seats and times nor the fee do."""
    open_keys = {key for field in templates.FIELDS for key in templates.keys_of(field, type(rules))}
    values = {key: value for key, value in msgspec.to_builtins(rules).items() if key not in {*open_keys, "fee_bps"}}
    ratio = Fraction(getattr(rules, "max_bet", 0), getattr(rules, "min_bet", 1))
    return {**values, "ratio": ratio}
