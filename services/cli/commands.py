"""Every command with the modules that hold it, and the text by which lists of commands show it."""

import importlib
from collections.abc import Mapping
from typing import Final, NamedTuple

import typer


class Entry(NamedTuple):
    """A command: the modules whose ``register`` adds it, and the first paragraph of its help."""

    modules: tuple[str, ...]
    help: str


COMMANDS: Final[Mapping[str, Entry]] = {
    "up": Entry(("up_command",), "Start Postgres, Redis and every service, and stay up until Ctrl-C."),
    "certify": Entry(
        ("certify_commands",),
        "Play case files and recorded hands, and report each. Exit 1 if any failed, 2 if a file is not valid.",
    ),
    "simulate": Entry(
        ("certify_commands",),
        "Play a game on the rules alone. Report return to player, house edge and hit rates with confidence intervals.",
    ),
    "game": Entry(
        ("game_command",),
        "Print a game's rules: in words, every house rule with its limits and default, what bets pay.",
    ),
    "guest": Entry(("guest_command",), "Print a one-time link to the page, for a guest who plays with test money."),
    "staff": Entry(
        ("staff_command",), "Print a one-time link to the console. The person acts with a token of its own."
    ),
    "replay": Entry(
        ("audit_commands",), "Replay a table from its log and verify its hash chain. Exit 1 if anything differs."
    ),
    "verify-deck": Entry(
        ("audit_commands",),
        "Verify the decks of exported rounds offline, with Python's standard library alone. Exit 1 if any fails.",
    ),
    "export": Entry(
        ("export_commands",),
        "Write a table's ended rounds as JSON lines, CSV or hand histories. Each JSON line can be verified by itself.",
    ),
    "export-ledger": Entry(("export_commands",), "Write the ledger's entries with their legs, in chronological order."),
    "checkpoint": Entry(
        ("proof_commands",), "Fetch a signed checkpoint. Keep the file where the house cannot reach it."
    ),
    "verify": Entry(
        ("proof_commands",),
        "Verify chain, deck and decisions of exports offline, without any key of the house. Exit 1 if anything fails.",
    ),
    "samples": Entry(
        ("samples_command",),
        "Write samples from the functions that deal. Each line or piece is the chance of one round.",
    ),
    "backoffice": Entry(
        (
            "backoffice",
            "wallets",
        ),
        "Operate the house: switches, voids, wallets, limits.",
    ),
    "privacy": Entry(("privacy",), "Erase players' names and texts; keep them erased when a backup is restored."),
    "tables": Entry(
        ("tables_table",),
        "List the open tables, oldest first: id, game, seats taken, house players, rounds, version, status, title.",
    ),
    "table": Entry(
        ("inspection",), "Show a table as it is now: its seats with chips and stakes, whose turn it is, who waits."
    ),
    "floor": Entry(("inspection",), "Show the open tables with somebody at them, those with most players first."),
    "round": Entry(
        ("inspection",),
        "Print an ended round in words: who sat where, each decision with its time, the pots, what everybody got.",
    ),
    "close": Entry(
        ("inspection",),
        "Close a table between rounds; every seat is paid out. A running round ends, or is voided, before.",
    ),
    "player": Entry(("player_commands",), "Show a player: what it holds, its limits and exclusion, its newest rounds."),
    "wallet": Entry(
        ("player_commands",),
        "Show what a player holds, in its wallet and at tables, and the newest lines of its statement.",
    ),
    "templates": Entry(
        ("templates",), "List the templates from which tables are opened, with the return of every bet against a bank."
    ),
    "template": Entry(("templates",), "Propose, show, decide and retire table templates."),
    "report": Entry(("report_commands",), "Write a report: its heading, then its lines."),
    "token": Entry(
        ("operate_commands",),
        "Make a bearer token, signed with the private key of a local house or of the environment.",
    ),
    "secrets": Entry(
        ("operate_commands",),
        "Print a new set of secrets as environment variables (for an untracked .env). Nothing is stored.",
    ),
    "doctor": Entry(
        ("operate_commands",),
        "Check the settings, servers and keys of a house, and whether its processes answer. Exit 1 if a check fails.",
    ),
}
"""The commands in the order of ``pitboss --help``. A test compares the texts with those of the commands."""


def register(app: typer.Typer) -> None:
    """Import every command and add it to the application."""
    for module in dict.fromkeys(module for entry in COMMANDS.values() for module in entry.modules):
        importlib.import_module(f"services.cli.{module}").register(app)
