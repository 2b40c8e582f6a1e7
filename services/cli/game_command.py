"""``pitboss game``: a game's rules, house rules and payouts in words, from the catalogue alone."""

from typing import Annotated, Any, Final

import typer

from services.cli import columns
from services.rules import catalogue, schema_labels
from services.rules.game import Game
from services.rules.kinds import Choice, Flag, IntegerList, IntegerTable
from services.rules.schema import Field
from services.rules.text import Text
from services.runtime.reasons import LANGUAGES

HEADINGS: Final = {
    "rules": Text("Rules", "規則", "规则"),
    "version": Text("Version of the rules", "規則版本", "规则版本"),
    "kept": Text("kept", "現有", "现有"),
    "house rules": Text("House rules", "房規", "房规"),
    "payouts": Text("Payouts", "賠付", "赔付"),
    "key": Text("key", "鍵", "键"),
    "label": Text("name", "名稱", "名称"),
    "takes": Text("takes", "範圍", "范围"),
    "default": Text("default", "預設", "默认"),
    "unit": Text("unit", "單位", "单位"),
    "help": Text("meaning", "說明", "说明"),
    "bet": Text("bet", "注", "注"),
    "wins": Text("wins with", "贏的條件", "赢的条件"),
    "pays": Text("pays", "賠率", "赔率"),
    "greatest win": Text("Greatest win", "最大贏額", "最大赢额"),
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(game)


def game(
    name: Annotated[str, typer.Argument(metavar="[GAME]", help="The game. Without one, all games are listed.")] = "",
    language: Annotated[str, typer.Option(help=f"Language: {', '.join(LANGUAGES)}.")] = "en",
    rules_version: Annotated[int, typer.Option(min=0, help="Version of the rules. Default: the newest.")] = 0,
) -> None:
    """Print a game's rules: in words, every house rule with its limits and default, what bets pay."""
    if language not in LANGUAGES:
        raise typer.BadParameter(f"--language is {language!r}; it must be one of {', '.join(LANGUAGES)}")
    if not name:
        columns.write(
            (_heading("key", language), _heading("label", language)),
            [(one.id, one.name.within(language)) for one in catalogue.games()],
        )
        return
    if name not in catalogue.FILES:
        raise typer.BadParameter(f"there is no game {name!r}; `pitboss game` lists all")
    try:
        _describe(catalogue.game(name, rules_version or None), language)
    except catalogue.UnknownRules as unknown:
        raise typer.BadParameter(unknown.message) from unknown


def _describe(played: Game, language: str) -> None:
    rules = played.rules_type()
    typer.echo(f"{played.name.within(language)} ({played.id}, {played.family})")
    kept = ", ".join(map(str, catalogue.versions(played.id)))
    typer.echo(f"{_heading('version', language)}: {played.version} ({_heading('kept', language)}: {kept})\n")
    typer.echo(f"{_heading('rules', language)}\n{played.summary.within(language)}\n")
    typer.echo(_heading("house rules", language))
    names = ("key", "label", "takes", "default", "unit", "help")
    fields = sorted(played.fields(rules), key=lambda field: list(schema_labels.GROUPS).index(field.rule.group))
    columns.write([_heading(one, language) for one in names], [_row(played, one, language) for one in fields])
    typer.echo(f"\n{_heading('payouts', language)}")
    columns.write(
        [_heading(one, language) for one in ("bet", "wins", "pays")],
        [(_word(played, one.bet, language), one.wins.within(language), one.pays) for one in played.payouts(rules)],
    )
    typer.echo(f"\n{_heading('greatest win', language)}: {played.greatest_win(rules).within(language)}")


def _row(played: Game, field: Field, language: str) -> tuple[str, ...]:
    rule = field.rule
    unit = schema_labels.UNITS.get(rule.unit)
    return (
        field.key,
        rule.label.within(language),
        schema_labels.takes(rule.kind, language),
        _default(played, field, language),
        unit.within(language) if unit else "",
        rule.help.within(language),
    )


def _default(played: Game, field: Field, language: str) -> str:
    value: Any = field.default
    if value is None:
        return field.rule.absent.within(language) if field.rule.absent else ""
    match field.rule.kind:
        case Flag():
            return (schema_labels.YES if value else schema_labels.NO).within(language)
        case Choice():
            return str(value)
        case IntegerList():
            return ", ".join(map(str, value))
        case IntegerTable():
            return ", ".join(f"{_word(played, name, language)} {number}" for name, number in value.items())
        case _:
            return str(value)


def _word(played: Game, word: str, language: str) -> str:
    known = played.words.get(word)
    return known.within(language) if known else word


def _heading(name: str, language: str) -> str:
    return HEADINGS[name].within(language)
