"""The choice of a house player: by its family's strategy, out of the options that its own seat is shown."""

from collections.abc import Callable
from typing import Final

from pitboss.v1 import actions_pb2, table_pb2

from services.contract import wire_actions
from services.players import seen
from services.players.seen import Seen
from services.players.strategies import banker, climbing, poker, showdown, survival, tricks
from services.rules import actions, offers, random_play
from services.rules.chance import Rng

Strategy = Callable[[Seen, Rng], actions.Action | None]

STRATEGIES: Final[dict[str, Strategy]] = {
    "poker": poker.choose,
    "showdown": showdown.choose,
    "banker": banker.choose,
    "tricks": tricks.choose,
    "climbing": climbing.choose,
    "survival": survival.choose,
}
"""The strategy of each family."""


def chosen(view: table_pb2.TableView, rng: Rng) -> actions_pb2.Action | None:
    """Return the action to send; None where there is nothing to do, or waiting is better.

    A choice that is not among the options (a rule that the strategy does not know) becomes a random one of them.
    """
    found = seen.of_view(view)
    if not found.options:
        return None
    action = STRATEGIES[found.family](found, rng)
    if action is None:
        return None
    offered = [option.option for option in found.options]
    if not offers.is_offered(offered, action):
        action = random_play.sample(offered, rng)
    return wire_actions.to_wire(action)
