"""The call that is being answered, kept in a context variable, so that any code below a handler can ask."""

import asyncio
import contextvars
from typing import Protocol

import msgspec

from services.rules.refusals import Refused
from services.runtime import reasons
from services.runtime.identity import Caller
from services.runtime.quotas import Kind

ANONYMOUS = "anonymous"


class Steps(Protocol):
    """Judges the steps of a stream one by one, as calls are judged."""

    async def admit(self, kind: Kind, caller: Caller) -> None:
        """Admit one step that leaves this kind of records. Raises Refused."""
        ...

    def refusal(self, error: Exception, call: "Call") -> Refused:
        """Return the refusal that an exception means to the caller; it is logged, counted and reported."""
        ...


class Call(msgspec.Struct):
    """One call: its method, its id in logs, its caller, the requested language, whether the process is stopping.

    ``resume`` is set by a stream's handler for the client to resume from, such as ``{"version": 17}``: it is sent as
    metadata of any error that ends the stream.
    """

    method: str
    request_id: str
    stopping: asyncio.Event
    accept_language: str = ""
    authorizations: tuple[str, ...] = ()
    who: Caller | None = None
    resume: dict[str, str | int] = msgspec.field(default_factory=dict)
    gate: "Steps | None" = None
    """What judges the steps of a stream that takes commands; None in other calls."""

    def __repr__(self) -> str:
        """Return method and id only, so that a printed call shows no token."""
        return f"Call({self.method}, {self.request_id})"

    @property
    def language(self) -> str:
        """Return the house's language that the caller prefers; empty if it accepts none of them."""
        return reasons.language(self.accept_language)

    @property
    def caller(self) -> Caller:
        """Return the caller; every method but health has one."""
        assert self.who is not None, f"{self.method} was reached without a caller"
        return self.who


_CALL: contextvars.ContextVar[Call] = contextvars.ContextVar("pitboss_call")


def enter(call: Call) -> None:
    """Make this the call that is being answered, in this task and those that it starts."""
    _CALL.set(call)


def current() -> Call:
    """Return the call that is being answered; raise ``LookupError`` outside of one."""
    return _CALL.get()


def find() -> Call | None:
    """Return the call that is being answered, None outside of one."""
    return _CALL.get(None)


def caller() -> Caller:
    """Return the caller of the call that is being answered; raise ``LookupError`` outside of one."""
    return _CALL.get().caller
