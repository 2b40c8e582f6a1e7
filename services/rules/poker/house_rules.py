"""House rules of the poker family [poker 0.1]."""

from typing import Final

from services.rules.game import HouseRules
from services.rules.poker import blind_keys, keys, session_keys, showdown_keys, structures, stud_keys
from services.rules.ranking import five_cards


class PokerRules(HouseRules, frozen=True, kw_only=True):
    """Keys of every game with betting rounds."""

    betting: keys.Betting = structures.NO_LIMIT
    raise_cap: keys.RaiseCap = 4
    time_bank_s: session_keys.TimeBankS = 0
    time_bank_refill_s: session_keys.TimeBankRefillS = 0
    return_minutes: session_keys.ReturnMinutes = 0
    show: showdown_keys.Show = showdown_keys.ALL

    @property
    def minimum(self) -> int:
        """The minimum bet, in chips."""
        raise NotImplementedError

    @property
    def forced_bet(self) -> int:
        """The bring-in, in chips; 0: there is none."""
        return 0

    @property
    def full_bet(self) -> int:
        """The bet that completes a bring-in, in chips."""
        return self.minimum

    @property
    def offers_two_boards(self) -> bool:
        """Whether the seats of a run-out are asked for a second board."""
        return False


class WithBlinds(PokerRules, frozen=True, kw_only=True):
    """What the engine asks of house rules with blinds; the minimum bet is the big blind."""

    @property
    def small(self) -> int:
        """The small blind, in chips."""
        raise NotImplementedError

    @property
    def button_is_small(self) -> bool:
        """Return whether the button has the small blind where two seats play."""
        return True

    @property
    def blind_ante(self) -> int:
        """The ante beside the blinds, in chips; 0: there is none."""
        return 0

    @property
    def antes_are_live(self) -> bool:
        """Return whether a seat wins of each other ante at most its own; else antes go into the main pot whole."""
        return True

    @property
    def big_blind_antes(self) -> bool:
        """Return whether the big blind alone posts the ante, for all seats."""
        return False

    @property
    def on_return(self) -> str:
        """What a seat does that comes back after a round without it: ``nothing``, ``post`` or ``wait``."""
        return keys.NOTHING

    @property
    def on_entry(self) -> str:
        """What a seat does in its first round: ``nothing``, ``post`` or ``wait``."""
        return keys.NOTHING

    @property
    def button_is_dead(self) -> bool:
        """Return whether the big blind always advances, so that the button may rest at an empty seat."""
        return False

    @property
    def may_straddle(self) -> bool:
        """Return whether the seat under the gun may straddle."""
        return False

    @property
    def remembers(self) -> bool:
        """Return whether a round leaves anything to the next one, such as who was dealt in."""
        return False

    @property
    def by_button(self) -> bool:
        """Return whether the button alone has a blind."""
        return False


_REMEMBERS_NOTHING: Final = (keys.NOTHING, blind_keys.AS_MISSED, blind_keys.MOVING, blind_keys.OFF)


class BlindRules(WithBlinds, frozen=True, kw_only=True):
    """Keys of the games with blinds; ``small_blind`` left out means half of ``big_blind``, rounded down."""

    big_blind: keys.BigBlind = 10
    small_blind: keys.SmallBlind = None
    heads_up_blinds: keys.HeadsUpBlinds = keys.BUTTON_SMALL
    ante: keys.BlindAnte = 0
    ante_mode: keys.AnteMode = keys.LIVE
    missed_blinds: blind_keys.MissedBlinds = keys.NOTHING
    newcomers: blind_keys.Newcomers = blind_keys.AS_MISSED
    button: blind_keys.Button = blind_keys.MOVING
    straddle: blind_keys.Straddle = blind_keys.OFF

    @property
    def minimum(self) -> int:
        """The big blind."""
        return self.big_blind

    @property
    def small(self) -> int:
        """The small blind, in chips."""
        return self.big_blind // 2 if self.small_blind is None else self.small_blind

    @property
    def button_is_small(self) -> bool:
        """By the house rule ``heads_up_blinds`` [poker D7]."""
        return self.heads_up_blinds == keys.BUTTON_SMALL

    @property
    def blind_ante(self) -> int:
        """The house rule ``ante``."""
        return self.ante

    @property
    def antes_are_live(self) -> bool:
        """By the house rule ``ante_mode``."""
        return self.ante_mode == keys.LIVE

    @property
    def big_blind_antes(self) -> bool:
        """By the house rule ``ante_mode``."""
        return self.ante_mode == keys.BIG_BLIND

    @property
    def on_return(self) -> str:
        """The house rule ``missed_blinds``."""
        return self.missed_blinds

    @property
    def on_entry(self) -> str:
        """The house rule ``newcomers``, which may refer to ``missed_blinds``."""
        return self.missed_blinds if self.newcomers == blind_keys.AS_MISSED else self.newcomers

    @property
    def button_is_dead(self) -> bool:
        """By the house rule ``button``."""
        return self.button == keys.DEAD

    @property
    def may_straddle(self) -> bool:
        """By the house rule ``straddle``."""
        return self.straddle == blind_keys.UNDER_THE_GUN

    @property
    def remembers(self) -> bool:
        """By the house rules about missed blinds, newcomers, the button and straddles."""
        return (self.missed_blinds, self.newcomers, self.button, self.straddle) != _REMEMBERS_NOTHING


class BoardRules(BlindRules, frozen=True, kw_only=True):
    """Keys of the games with table cards and blinds."""

    run_it: showdown_keys.RunIt = showdown_keys.ONCE

    @property
    def offers_two_boards(self) -> bool:
        """By the house rule ``run_it``."""
        return self.run_it == showdown_keys.TWICE


class DrawRules(BlindRules, frozen=True, kw_only=True):
    """Keys of five-card draw."""

    flush_order: keys.FlushOrder = five_cards.SUIT_FIRST


class AnteRules(PokerRules, frozen=True, kw_only=True):
    """Keys of the games with antes."""

    ante: keys.Ante = 10
    min_bet: keys.MinBet = 10
    open_check: keys.OpenCheck = True
    flush_order: keys.FlushOrder = five_cards.SUIT_FIRST

    @property
    def minimum(self) -> int:
        """The house rule ``min_bet``."""
        return self.min_bet


def bring_in_chips(rule: int | None, min_bet: int) -> int:
    """Return a bring-in by the house rule ``bring_in``, in chips; by default half of the minimum bet."""
    return max(1, min_bet // 2) if rule is None else rule


def completion_chips(rule: int | None, min_bet: int) -> int:
    """Return the bet that completes a bring-in by the house rule ``completion``, in chips; by default the minimum."""
    return min_bet if rule is None else rule


class StudRules(AnteRules, frozen=True, kw_only=True):
    """Keys of the stud games; ``showhand_from`` is the first betting round in which all chips may be bet."""

    showhand_from: keys.ShowhandFrom = 4
    opening: stud_keys.Opening = stud_keys.BEST_HAND
    bring_in: stud_keys.BringIn = None
    completion: stud_keys.Completion = None
    exposure: stud_keys.Exposure = True

    @property
    def forced_bet(self) -> int:
        """The bring-in by the house rules ``opening`` and ``bring_in``, in chips; 0: there is none."""
        return bring_in_chips(self.bring_in, self.min_bet) if self.opening == stud_keys.BRING_IN else 0

    @property
    def full_bet(self) -> int:
        """The house rule ``completion``, in chips; by default the minimum bet."""
        return completion_chips(self.completion, self.min_bet)
