"""The commands that are no process of the house, added to the command line."""

import typer


def register(app: typer.Typer) -> None:
    """Add them."""
    from services.cli import (
        audit_commands,
        backoffice,
        certify_commands,
        export_commands,
        operate_commands,
        privacy,
        proofs,
        report_commands,
        samples_command,
        tables_table,
        templates,
        up_command,
        wallets,
    )

    for group in (
        up_command,
        certify_commands,
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
