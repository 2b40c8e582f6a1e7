"""The lines of the house: who may import whom, what the pure rooms do without, and what every test says."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from services.rules import catalogue

ROOT = Path(__file__).resolve().parents[1]

PURE = {
    "rules": {"rules"},
    "fairness": {"fairness", "rules"},
    "house": {"house", "rules"},
    "limits": {"limits"},
    "table": {"table", "house", "fairness", "limits", "rules"},
}
"""Pure rooms with what each may import of ours; ``rules`` is at the bottom."""

STORES = {
    "eventlog": {"eventlog", "migrations", "database"},
    "ledger": {"ledger", "database"},
    "livestate": {"livestate"},
    "registry": {"registry", "limits", "database"},
    # What is proven of the others' tables, as these declare it; their names come in as values.
    "leaves": {"leaves", "database"},
    # How statements are sent, the same for all that keep something in Postgres.
    "database": {"database"},
}
"""Stores know nothing of games, nor of each other; the registry keeps limits by their pure policy."""

BELOW_SERVICES = {*PURE, *STORES, "runtime", "journal", "contract", "commands", "privacy", "pitboss"}

MAY_IMPORT = {
    **PURE,
    **STORES,
    # Refusals' reasons and texts in three languages stand at the bottom; how Redis is named, its store knows.
    "runtime": {"runtime", "rules", "pitboss", "livestate"},
    # Events of tables as rows of the log: private to the house.
    "journal": {"journal", "eventlog", *PURE},
    # The wire: the public messages for those of the rooms, shared by all services.
    "contract": {"contract", "journal", "pitboss", "runtime", "eventlog", "ledger", *PURE},
    # How dealer and settlement decide a command and append it; what it decides is theirs.
    "commands": {"commands", "journal", "eventlog", "database", "runtime", *PURE},
    # Texts of players, sealed and opened with keys that the registry holds wrapped.
    "privacy": {"privacy", "fairness", "rules", "registry", "database", "runtime"},
    "dealer": {"dealer", *BELOW_SERVICES},
    "settlement": {"settlement", *BELOW_SERVICES},
    "audit": {"audit", *BELOW_SERVICES},
    # House players are clients: they know the public contract and the public rules of games.
    "players": {"players", "contract", "rules", "runtime", "pitboss"},
    # Envoy with a configuration made of settings and the public contract; it decides nothing.
    "gateway": {"gateway", "runtime", "rules", "pitboss"},
    # Files for browsers, and a one-time exchange of sign-in codes; it calls no other process.
    "web": {"web", "runtime", "rules"},
    # The console of staff: a client of the public contract, with the words and cards of the rules and their proofs.
    "console": {"console", "fairness", "runtime", "rules", "pitboss"},
    # What starts servers and processes on one machine; no process of the house imports it.
    "localhouse": {"localhouse", "eventlog", "runtime", "fairness", "livestate"},
    "cli": {
        "cli",
        "dealer",
        "settlement",
        "audit",
        "players",
        "gateway",
        "web",
        "console",
        "migrations",
        "localhouse",
        *BELOW_SERVICES,
    },
}
"""Imports point downwards only, and no service imports another (docs/architecture.md)."""

IMPURE = {
    "asyncio",
    "concurrent",
    "datetime",
    "ftplib",
    "http",
    "io",
    "logging",
    "multiprocessing",
    "os",
    "pathlib",
    "platform",
    "random",
    "sched",
    "secrets",
    "select",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
    "zoneinfo",
    "grpc",
    "psycopg",
    "psycopg_pool",
    "redis",
    "structlog",
    "typer",
    "prometheus_client",
    "pydantic_settings",
    "uvloop",
    "rich",
    "alembic",
    "numpy",
}
"""Modules that read a clock, make chance, or reach outside the process."""

IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "id", "globals"}

TOOLS = {"services/fairness/verify_deck.py"}
"""Programs of their own inside a pure room: no room imports them."""

MOST_MODULE_LINES, MOST_FUNCTION_LINES = 300, 50
"""Lines of a module and of a function, at most: a module holds one concept, whole."""

PAUSES = {
    "tests/support/waits.py": "the waits themselves: bounded, and for something that is looked at",
    "tests/support/clusters.py": "a slot that moves slowly, so that saves come in between",
    "tests/support/echo.py": "a call that takes as long as its client says, in another process",
    "tests/livestate/test_tallies.py": "the claim is about the pause in a caller's refusal",
    "tests/runtime/test_server.py": "a program that holds its event loop",
    "tests/bench/aims.py": "a bench measures the load beside it",
    "tests/bench/watch_bench.py": "a bench sets the pace of its load",
    "tests/bench/front_bench.py": "a bench sets the pace of its load",
    "tests/bench/idle_bench.py": "a bench measures a time in which nothing happens",
    "tests/bench/due_bench.py": "a bench waits for the moment that it has chosen, and measures a quiet time",
}
"""The only places in the suites that call sleep, each with its reason."""

WORDS = {
    # The bank, which pays and is paid: a zone, a phase, a group of house rules.
    "bank": ("services/rules/", "services/contract/wire_facts.py"),
    # Categories of hands, which several games compare.
    "san_gong": ("services/rules/",),
    "niu_niu": ("services/rules/",),
    # A phase of the auction, a word of its texts.
    "napoleon": ("services/rules/tricks/",),
    # A kind of personal text.
    "nickname": ("services/privacy/texts.py",),
    # The games of a demonstration, which an operator sets.
    **dict.fromkeys(
        ("texas_holdem", "tongbi_niu_niu", "blackjack", "spoil_five", "dou_dizhu"),
        ("services/runtime/players_settings.py",),
    ),
}
"""Ids of games that mean something else too, with the places where they do."""

LONGER = {
    "services/registry/queries.py": "all SQL of a room is in one module",
    "services/rules/banker/casino_holdem.py": "a game is one file: two bets with tables of odds, and texts of 30 words",
    "services/rules/banker/san_gong_banker.py": "a game is one file: the bank is bid for in two ways before the bets",
    "services/rules/banker/shoot_dragon_gate.py": "a game is one file: it is the only one against a common pool",
    "services/rules/climbing/dou_dizhu.py": "a game is one file: two ways of bidding, and 14 types of play",
    "services/rules/tricks/napoleon.py": "a game is one file, and this is the longest sheet: auction, adjutant, calls",
}
"""The only places that are longer, each with its reason."""


def modules(folder: str) -> list[Path]:
    """List the Python files below a folder of the checkout, generated ones left out."""
    found = [path for path in sorted((ROOT / folder).rglob("*.py")) if "node_modules" not in path.parts]
    return [path for path in found if not path.stem.endswith(("_pb2", "_pb2_grpc")) and "_pb2" not in path.name]


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """List what a file imports, anywhere in it, as full names with their lines."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}:{node.lineno}: a relative import hides where it points"
            yield node.lineno, str(node.module)
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def name(path: Path) -> str:
    """Return a file's path in the checkout."""
    return path.relative_to(ROOT).as_posix()


def room_of(module: str) -> str | None:
    """Return the room of a module; None for foreign modules and for the bare package of all rooms."""
    parts = module.split(".")
    if parts[0] == "services":
        return parts[1] if len(parts) > 1 else None
    return parts[0] if parts[0] in {"pitboss", "migrations", "tests"} else None


def test_every_room_is_known_here() -> None:
    """A new room needs its line in the map of imports."""
    rooms = {path.name for path in (ROOT / "services").iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert rooms == set(MAY_IMPORT)


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_point_downwards_only(room: str) -> None:
    """A room imports only itself and the rooms below it; no service imports another, no store a pure room."""
    wrong = [
        f"{name(path)}:{line} imports {module}"
        for path in modules(f"services/{room}")
        for line, module in imports(path)
        if (target := room_of(module)) is not None and target not in MAY_IMPORT[room]
    ]
    assert wrong == []


def test_the_client_package_imports_no_room() -> None:
    """What is given to clients stands without the house."""
    wrong = [
        f"{name(path)}:{line} imports {module}"
        for path in modules("protos/pitboss")
        for line, module in imports(path)
        if module.split(".")[0] in {"services", "migrations", "tests"}
    ]
    assert wrong == []


@pytest.mark.parametrize("room", PURE)
def test_pure_rooms_have_no_clock_no_chance_and_no_input_or_output(room: str) -> None:
    """Rules, fairness, house and table work on their arguments alone."""
    wrong = [
        f"{name(path)}:{line} imports {module}"
        for path in modules(f"services/{room}")
        if name(path) not in TOOLS
        for line, module in imports(path)
        if module.split(".")[0] in IMPURE
    ]
    assert wrong == []


@pytest.mark.parametrize("room", PURE)
def test_pure_rooms_call_nothing_that_reaches_outside(room: str) -> None:
    """No file is opened, nothing printed, and nothing depends on where an object lies in memory."""
    wrong = [
        f"{name(path)}:{node.lineno} calls {node.func.id}"
        for path in modules(f"services/{room}")
        if name(path) not in TOOLS
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
    ]
    assert wrong == []


def test_tools_inside_pure_rooms_are_imported_by_no_room() -> None:
    """A program that stands in a pure room for its readers is run, not imported, except by programs."""
    dotted = {tool.removesuffix(".py").replace("/", ".") for tool in TOOLS}
    wrong = [
        f"{name(path)}:{line} imports {module}"
        for room in PURE
        for path in modules(f"services/{room}")
        for line, module in imports(path)
        if module in dotted
    ]
    assert wrong == []


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_no_game_is_asked_for_by_name(room: str) -> None:
    """A game's id stands in its file, its texts and the catalogue; who would ask for it elsewhere lacks a concept."""
    wrong = [
        f"{name(path)}:{node.lineno} {node.value}"
        for path in modules(f"services/{room}")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant)
        and node.value in catalogue.FILES
        and not is_of(path, str(node.value))
        and not any(name(path).startswith(place) for place in WORDS.get(str(node.value), ()))
    ]
    assert wrong == []


def test_words_that_are_also_games_are_compared_with_no_game() -> None:
    """Where an id is a word of the rules too, nothing called game, id or the like is compared with it."""
    wrong = [
        f"{name(path)}:{node.lineno}"
        for path in modules("services")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Compare | ast.Match) and asks_for_a_game(node)
    ]
    assert wrong == []


def test_a_table_is_asked_for_its_own_version_of_the_rules() -> None:
    """Where the game of an open or recorded table is asked for, its version is named; without one it is the newest."""
    wrong = [
        f"{name(path)}:{node.lineno}"
        for path in modules("services")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "catalogue.game"
        and "opening" in ast.unparse(node.args[0])
        and len(node.args) == 1
    ]
    assert wrong == []


def is_of(path: Path, game_id: str) -> bool:
    """Whether a file is a game's own, its texts, or the catalogue."""
    file = catalogue.FILES[game_id].replace(".", "/")
    family = file.partition("/")[0]
    own = (f"services/rules/{file}", f"services/rules/{family}/texts/{game_id}", "services/rules/catalogue")
    return name(path).removesuffix(".py") in own


def asks_for_a_game(node: ast.Compare | ast.Match) -> bool:
    """Whether something called game, id or the like is compared with a game's id."""
    if isinstance(node, ast.Match):
        sides: list[ast.expr] = [node.subject]
        constants = [part for case in node.cases for part in ast.walk(case.pattern)]
    else:
        sides = [node.left, *node.comparators]
        constants = [part for side in sides for part in ast.walk(side)]
    terminals = {
        side.attr if isinstance(side, ast.Attribute) else side.id
        for side in sides
        if isinstance(side, ast.Attribute | ast.Name)
    }
    ids = {part.value for part in constants if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return bool(terminals & {"id", "game", "game_id", "game_name"}) and bool(ids & set(catalogue.FILES))


def test_nothing_imports_a_single_game() -> None:
    """Games stand on engines and under the services, never the other way round; only the catalogue knows them all."""
    games = {f"services.rules.{file}" for file in catalogue.FILES.values()}
    wrong = [
        f"{name(path)}:{line} imports {module}"
        for path in modules("services")
        for line, module in imports(path)
        if module in games and name(path).removesuffix(".py").replace("/", ".") not in games
    ]
    assert wrong == []


def test_every_test_says_what_it_claims() -> None:
    """Each test function has a docstring of one or more sentences."""
    wrong = [
        f"{name(path)}:{node.lineno} {node.name}"
        for path in modules("tests")
        if path.name.startswith("test_")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and len(ast.get_docstring(node) or "") < 15
    ]
    assert wrong == []


def test_no_test_is_switched_off() -> None:
    """No test is skipped or expected to fail without a condition."""
    wrong = [
        f"{name(path)}:{node.lineno}"
        for path in modules("tests")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute)
        and node.attr in {"skip", "xfail"}
        and ast.unparse(node).startswith("pytest.mark")
    ]
    assert wrong == []


def sizes() -> Iterator[tuple[str, int, int]]:
    """Yield where, the lines, and the most lines allowed, for every module and function."""
    for path in (found for folder in ("services", "protos/pitboss", "deploy") for found in modules(folder)):
        yield name(path), len(path.read_text(encoding="utf-8").splitlines()), MOST_MODULE_LINES
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                yield f"{name(path)} {node.name}", length, MOST_FUNCTION_LINES


def test_modules_and_functions_stay_readable() -> None:
    """A module has at most 300 lines and a function at most 50, but for those named with a reason."""
    measured = list(sizes())
    assert len(measured) > 1000
    longer = {where: lines for where, lines, most in measured if lines > most}
    assert {where: lines for where, lines in longer.items() if where not in LONGER} == {}
    assert [where for where in LONGER if where not in longer] == [], "these are no longer; take them from the list"


def test_suites_wait_for_what_they_need_and_not_for_a_time() -> None:
    """``sleep`` is called in the named places only, in programs within texts too; each of them still calls it."""
    sleeps = {name(path) for path in modules("tests") if re.search(r"\bsleep\(", path.read_text(encoding="utf-8"))}
    assert sleeps - PAUSES.keys() - {name(Path(__file__))} == set(), "use tests/support/waits.py"
    assert PAUSES.keys() - sleeps == set(), "these call it no more; take them from the list"


def test_every_exception_from_a_tool_has_a_reason() -> None:
    """Each ``noqa`` says why, and each ``type: ignore`` too; there are fewer than 40 ``noqa``."""
    folders = ("services", "protos", "migrations", "deploy", "tests")
    lines = [
        (f"{name(path)}:{number}", line)
        for folder in folders
        for path in modules(folder)
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    ]
    silenced = [(where, line) for where, line in lines if "# noqa" in line]
    ignored = [(where, line) for where, line in lines if "# type: ignore" in line]
    assert [where for where, line in silenced if not re.search(r"# noqa: [A-Z0-9, ]+ - \S", line)] == []
    assert [where for where, line in ignored if not re.search(r"# type: ignore\[[a-z, -]+\]  # \S", line)] == []
    assert len(silenced) < 40


def test_one_module_writes_csv() -> None:
    """Where texts of strangers become cells stands one guard against formulas; nothing else writes tables."""
    writers = {name(path) for path in modules("services") for _, module in imports(path) if module == "csv"}
    assert writers == {"services/runtime/csv_table.py"}
