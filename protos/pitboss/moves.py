"""Actions by name, for front ends that draw their buttons from the options of a view."""

from typing import Any

from pitboss.v1 import actions_pb2


def action(name: str, **arguments: Any) -> actions_pb2.Action:
    """Return an action by its name in an option, with its arguments; ``pass`` and ``raise`` are keywords of Python.

    Raises ValueError for a name or an argument that the contract does not have.

    >>> action("raise", to=40).WhichOneof("kind")
    'raise'
    """
    made = actions_pb2.Action()
    if name not in made.DESCRIPTOR.fields_by_name:
        raise ValueError(f"there is no action {name!r}")
    held = getattr(made, name)
    held.SetInParent()
    for key, value in arguments.items():
        field = held.DESCRIPTOR.fields_by_name.get(key)
        if field is None:
            raise ValueError(f"{name} has no argument {key!r}")
        if field.is_repeated:
            getattr(held, key).extend(value)
        else:
            setattr(held, key, value)
    return made
