"""Outcomes: how a round ended, in claims between the seats, the house and the pots."""

from typing import Any, Final

import msgspec

HOUSE: Final = "house"
POT: Final = "pot"
BOARD: Final = "board"
SECOND_BOARD: Final = "second_board"
BOARDS: Final = (BOARD, SECOND_BOARD)
"""The zones of table cards, which are also the names of the parts of pots where a board was run twice."""
Party = int | str
"""A seat's number, ``house``, ``pot`` (the table's carried pool) or ``pot:k`` (a pot of this round)."""


class Claim(msgspec.Struct, frozen=True, gc=False):
    """The payer owes the payee an amount of chips because of ``why`` (a word of the sheet, or a bet's name)."""

    payer: Party
    payee: Party
    amount: int
    why: str


class Part(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A part of a divided pot: its name, and the seats that share it, in the order of odd chips.

    Names are ``high`` and ``low``, or those of two boards; a board's part may have ``parts`` again.
    """

    name: str
    winners: tuple[int, ...]
    parts: "tuple[Part, ...]" = ()


class Pot(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A pot of the round, before rake, with the seats that share it, in the order of odd chips.

    ``parts`` of a divided pot are equal but for an odd chip, which goes to the first one; ``winners`` are then all of
    their seats together. A pot without parts is shared whole.
    """

    amount: int
    winners: tuple[int, ...]
    parts: tuple[Part, ...] = ()


class Stake(msgspec.Struct, frozen=True, gc=False):
    """A seat's stake on one bet; ``turnover`` leaves out stakes that were returned undecided."""

    seat: int
    bet: str
    amount: int
    turnover: int


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a round ended, before the house turns claims into chips [rules "From claims to chips"].

    Claims are uncapped. What else the pipeline must know of the game's kind:

    * ``pots``: pots of this round (``pot:0`` is the main pot). Seats claim *into* them by claims (seat → ``pot:k``);
      the pipeline takes the rake and shares the rest among the winners, so no claims out of them are listed.
      ``refund``: what a win cap takes from a pot's winner goes back to the losing seats in equal parts (ante pot).
    * ``banker``: the seat that first collects, then pays out of its carry and that (None: no seat is banker).
    * ``net_claims``: before the carry limit a seat's claims with the banker are set off against each other.
    * ``pairwise``: players face each other: with ``win_cap: stake`` each claim is first cut to the smaller carry.
    * ``cap_order``: seats in the order in which the win cap is applied; None: the greatest net win first.
    * ``saw_flop``: False lets ``no_flop_no_drop`` spare the pots.

    ``facts`` are the sheet's "Case keys" with seats as numbers (dict keys too); ``memory`` is what the game carries to
    the next round of the table, readable by everybody; ``button`` is the seat that had the button, to be carried.
    ``counts`` is False for a round that moves neither the button nor any limit.
    """

    claims: tuple[Claim, ...] = ()
    pots: tuple[Pot, ...] = ()
    refund: bool = False
    banker: int | None = None
    net_claims: bool = False
    pairwise: bool = False
    cap_order: tuple[int, ...] | None = None
    saw_flop: bool = True
    stakes: tuple[Stake, ...] = ()
    facts: dict[str, Any] = {}
    memory: dict[str, Any] = {}
    button: int | None = None
    counts: bool = True


class Match(msgspec.Struct, frozen=True):
    """A match of several rounds: the number of its current round, from 1, and its greatest number (0: none is set)."""

    round_number: int
    most_rounds: int
