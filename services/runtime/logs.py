"""Structured logs: JSON lines on standard error, without secrets and without cards (``redaction``)."""

import logging
import sys
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from services.runtime import context, redaction

_KEPT = frozenset({"event", "level", "logger", "timestamp", "exception"})
_QUIET = ("grpc", "asyncio", "alembic", "psycopg.pool")


def get(name: str, **bound: Any) -> structlog.stdlib.BoundLogger:
    """Return the logger of a part of the program, such as ``dealer.deadlines``."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name, **bound)
    return logger


def set_up(level: str, form: str, process: str) -> None:
    """Route all logging of the process and its libraries into redacted lines of one form (json, console)."""

    def name_process(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        event["process"] = process
        return event

    shared: list[Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        name_process,
        _name_call,
        structlog.processors.format_exc_info,
        _clean,
    ]
    last: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.PositionalArgumentsFormatter(),
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = _Standard()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last]
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for library in _QUIET:
        logging.getLogger(library).setLevel(max(logging.WARNING, root.level))


class _Standard(logging.Handler):
    """Writes to the present standard error, also after it was replaced."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except Exception:  # a line that cannot be written must not stop the work
            self.handleError(record)


def _name_call(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    call = context.find()
    if call is not None:
        event.setdefault("method", call.method)
        event.setdefault("call", call.request_id)
        if call.who is not None:
            event.setdefault("role", call.who.role.value)
            event.setdefault("subject", call.who.subject)
    return event


def _clean(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    for name in list(event):
        if name in _KEPT:
            if name in ("event", "exception"):
                event[name] = redaction.clean_text(str(event[name]))
        elif not name.startswith("_"):
            event[name] = redaction.clean_field(name, event[name])
    return event
