"""``pitboss templates`` and ``pitboss template …``: the templates from which tables are opened."""

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from google.protobuf import json_format
from pitboss import client
from pitboss import rules as house_rules
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import catalogue_pb2

from services.cli import backoffice, columns

COLUMNS: Final = ("template", "version", "game", "state", "stakes", "openers", "banker", "returns")
TEXT, LINES = "text", "jsonl"

OPENERS: Final = {"players": catalogue_pb2.TEMPLATE_OPENERS_PLAYERS, "staff": catalogue_pb2.TEMPLATE_OPENERS_STAFF}
FIELDS: Final = {
    name.removeprefix("TEMPLATE_FIELD_").lower(): number
    for name, number in catalogue_pb2.TemplateField.items()
    if number
}

app = typer.Typer(no_args_is_help=True, help="Propose, show, decide and retire table templates.")
Template = Annotated[str, typer.Argument(help="The template's id.")]


def register(top: typer.Typer) -> None:
    """Add the commands."""
    top.command()(templates)
    top.add_typer(app, name="template")


def templates(
    game: Annotated[str, typer.Option(help="List this game only.")] = "",
    every: Annotated[bool, typer.Option("--all", help="Include every version in every state.")] = False,
    form: Annotated[str, typer.Option("--format", help="text, or jsonl for one JSON object per line.")] = TEXT,
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """List the templates from which tables are opened, with the return of every bet against a bank."""
    if form not in (TEXT, LINES):
        raise typer.BadParameter(f"{form!r} is not a format; expected {TEXT} or {LINES}")
    found = asyncio.run(_listed(folder, name, game, every=every))
    if form == LINES:
        for one in found:
            typer.echo(json.dumps(json_format.MessageToDict(one), ensure_ascii=False))
        return
    columns.write(COLUMNS, [row(one) for one in found])


def row(one: catalogue_pb2.Template) -> tuple[str, ...]:
    """Return one line of the list, in the order of ``COLUMNS``."""
    stakes = str(one.stake) if one.least_stake == one.greatest_stake else f"{one.least_stake}-{one.greatest_stake}"
    return (
        one.template_id,
        str(one.version),
        one.game,
        _word(catalogue_pb2.TemplateState, one.state, "TEMPLATE_STATE_"),
        stakes,
        _word(catalogue_pb2.TemplateOpeners, one.openers, "TEMPLATE_OPENERS_"),
        one.banker or "nobody",
        ", ".join(_returned(bet) for bet in one.returns) or "-",
    )


def _returned(bet: catalogue_pb2.TemplateReturn) -> str:
    return f"{bet.bet} {bet.returned}" if bet.exact else f"{bet.bet} {bet.low} to {bet.high}"


def _word(kind: Any, number: int, prefix: str) -> str:
    word: str = kind.Name(number)
    return word.removeprefix(prefix).lower()


async def _listed(folder: Path, name: str, game: str, *, every: bool) -> list[catalogue_pb2.Template]:
    async with backoffice.operator(folder, name) as house:
        return await house.list_templates(game=game, include_all=every)


@app.command()
def show(
    template: Template,
    version: Annotated[int, typer.Option(help="Version. 0: the one in force.")] = 0,
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Show a version of a template: its rules, what may be varied, the return of every bet, its proposer."""

    async def ask() -> catalogue_pb2.Template:
        async with backoffice.operator(folder, name) as house:
            return await house.template(template, version)

    _print(asyncio.run(ask()))


@app.command()
def propose(
    template: Template,
    game: Annotated[str, typer.Argument(help="The game.")],
    reason: backoffice.Reason,
    rules: Annotated[str, typer.Option(help="House rules that differ from the game's defaults, as JSON.")] = "{}",
    title: Annotated[str, typer.Option(help="Default: the game's name.")] = "",
    openers: Annotated[str, typer.Option(help="Who opens tables: players (and staff), or staff.")] = "players",
    varies: Annotated[str, typer.Option(help=f"What may be varied: {','.join(FIELDS)}.")] = "title,times,buy_in",
    stakes: Annotated[str, typer.Option(help="Range of the stake, such as 10-500. Default: the rules' own.")] = "",
    currencies: Annotated[str, typer.Option(help="Such as CHIPS,EUR. Default: every currency of the house.")] = "",
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Propose a template, or a new version of one. A second person approves or rejects it."""
    least, greatest = _range(stakes)
    able = [_one_of(one, FIELDS, "--varies") for one in _split(varies)]
    request = pb.ProposeTemplateRequest(
        request_id=client.request_id(),
        template_id=template,
        game=game,
        title=title,
        house_rules=_rules(rules),
        openers=_one_of(openers, OPENERS, "--openers"),
        varies=able,
        least_stake=least,
        greatest_stake=greatest,
        currencies=_split(currencies),
        reason=reason,
    )
    _print(_call(folder, name, "ProposeTemplate", request).template)


@app.command()
def decide(
    template: Template,
    version: Annotated[int, typer.Argument(help="The version to decide on.")],
    reason: backoffice.Reason,
    approve: Annotated[bool, typer.Option("--approve/--reject", help="Approve or reject it.")],
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Approve or reject a version that another person proposed."""
    request = pb.DecideTemplateRequest(
        request_id=client.request_id(), template_id=template, version=version, approve=approve, reason=reason
    )
    _print(_call(folder, name, "DecideTemplate", request).template)


@app.command()
def retire(
    template: Template, reason: backoffice.Reason, folder: backoffice.Folder = Path("var"), name: backoffice.Name = ""
) -> None:
    """Take a template out of use. Open tables continue."""
    request = pb.RetireTemplateRequest(request_id=client.request_id(), template_id=template, reason=reason)
    _print(_call(folder, name, "RetireTemplate", request).template)


def _call(folder: Path, name: str, method: str, request: Any) -> Any:
    async def ask() -> Any:
        async with backoffice.operator(folder, name, changes=True) as house:
            return await backoffice.call(house, method, request)

    return asyncio.run(ask())


def _print(found: catalogue_pb2.Template) -> None:
    document = json_format.MessageToDict(found, preserving_proto_field_name=True)
    document["house_rules"] = house_rules.plain(found.house_rules)
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))


def _rules(text: str) -> Any:
    try:
        return house_rules.house_rules(dict(json.loads(text)))
    except (ValueError, TypeError) as error:
        raise typer.BadParameter(f"--rules is not a JSON object: {error}") from None


def _range(text: str) -> tuple[int, int]:
    if not text:
        return 0, 0
    least, _, greatest = text.partition("-")
    if not (least.isdecimal() and (greatest or least).isdecimal()):
        raise typer.BadParameter(f"--stakes is {text!r}; it must be a number, or a range such as 10-500")
    return int(least), int(greatest or least)


def _split(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]


def _one_of(given: str, words: dict[str, Any], what: str) -> Any:
    if given not in words:
        raise typer.BadParameter(f"{what} is {given!r}; expected one of {', '.join(words)}")
    return words[given]
