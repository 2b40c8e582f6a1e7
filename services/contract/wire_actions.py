"""Actions between the contract's ``oneof`` and the rules' classes."""

from typing import Any, Final

import msgspec
from pitboss.v1 import actions_pb2

from services.rules import actions
from services.rules.refusals import invalid


class _Field:
    """One argument of one action: how the contract holds it."""

    __slots__ = ("name", "optional", "repeated")

    def __init__(self, descriptor: Any) -> None:
        self.name = descriptor.name
        self.repeated = descriptor.is_repeated
        self.optional = descriptor.has_presence


_FIELDS: Final[dict[str, list[_Field]]] = {
    kind.name: [_Field(field) for field in kind.message_type.fields]
    for kind in actions_pb2.Action.DESCRIPTOR.oneofs_by_name["kind"].fields
    if kind.message_type is not None
}


class NoAction(ValueError):
    """A message holds no action, or one with unusable arguments."""


def from_wire(message: actions_pb2.Action) -> actions.Action:
    """Read an action. Raises Refused (``INVALID_ARGUMENT``)."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise invalid("action", "the action is empty; set one of its kinds, such as fold or bet")
    held = getattr(message, kind)
    made: dict[str, Any] = {}
    for field in _FIELDS[kind]:
        if field.repeated:
            made[field.name] = tuple(getattr(held, field.name))
        elif not field.optional or held.HasField(field.name):
            made[field.name] = getattr(held, field.name)
    try:
        return actions.build(kind, made)
    except msgspec.ValidationError as error:
        raise invalid("action", str(error)) from None


def to_wire(action: actions.Action) -> actions_pb2.Action:
    """Write an action."""
    return named(action.name, actions.arguments(action))


def named(name: str, arguments: dict[str, Any]) -> actions_pb2.Action:
    """Write an action from its name and its arguments. Raises NoAction for unknown ones."""
    if name not in _FIELDS:
        problem = f"there is no action {name!r}; the contract's Action lists all"
        raise NoAction(problem)
    message = actions_pb2.Action()
    held = getattr(message, name)
    held.SetInParent()
    known = {field.name: field for field in _FIELDS[name]}
    for argument, value in arguments.items():
        if argument not in known:
            problem = f"{name} has no argument {argument!r}; it has {', '.join(known) or 'none'}"
            raise NoAction(problem)
        if known[argument].repeated:
            getattr(held, argument).extend(value)
        elif value is not None:
            setattr(held, argument, value)
    return message
