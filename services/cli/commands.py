"""Registers every command except those that ``main`` defines itself."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    from services.cli import (
        audit_commands,
        backoffice,
        certify_commands,
        export_commands,
        game_command,
        guest_command,
        operate_commands,
        privacy,
        proofs,
        report_commands,
        samples_command,
        staff_command,
        tables_table,
        templates,
        up_command,
        wallets,
    )

    for group in (
        up_command,
        certify_commands,
        game_command,
        guest_command,
        staff_command,
        audit_commands,
        export_commands,
        proofs,
        samples_command,
        backoffice,
        privacy,
        wallets,
        tables_table,
        templates,
        report_commands,
        operate_commands,
    ):
        group.register(app)
