"""Clients in other languages: sources are made of the protos, and the examples play a round, where their tools are."""

import shutil
import subprocess
from importlib import resources
from pathlib import Path
from typing import Final

import pytest

from services.localhouse.local_house import LocalHouse
from services.runtime.identity import Role
from tests.support import people

ROOT: Final = Path(__file__).parents[2]
PROTOS: Final = ROOT / "protos"
EXAMPLES: Final = ROOT / "docs" / "examples"
JARS: Final = Path("/usr/share/java")
"""Where Debian keeps libraries of Java."""
NEEDED: Final = (
    "protobuf",
    *(f"grpc-{one}" for one in ("api", "context", "core", "stub", "protobuf", "protobuf-lite", "netty")),
    *(f"netty-{one}" for one in ("buffer", "codec", "codec-http", "codec-http2", "common", "handler", "resolver")),
    *("netty-transport", "guava", "perfmark-api", "geronimo-annotation-1.3-spec"),
)
THIRD: Final = [f"google/{name}.proto" for name in ("api/annotations", "api/http", "rpc/error_details", "rpc/status")]
SECONDS: Final = 280
pytestmark = pytest.mark.timeout(900)


def run(*words: str | Path, folder: Path) -> str:
    """Run a program that must succeed; return what it wrote."""
    line = [str(word) for word in words]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def skip_without(*needed: str) -> None:
    """Skip a test on a machine that lacks one of these programs or files."""
    if lacking := [one for one in needed if shutil.which(one) is None and not Path(one).is_file()]:
        pytest.skip(f"not installed: {', '.join(lacking)} (docs/other-languages.md names the packages)")


def where() -> list[str]:
    """Return the compiler's options that name the folders of protos; google/protobuf is that of grpcio-tools."""
    folders = (PROTOS / "third_party", PROTOS, resources.files("grpc_tools") / "_proto")
    return [f"-I{folder}" for folder in folders]


def protos() -> list[str]:
    """Return the names of the contract's protos."""
    return [str(path.relative_to(PROTOS)) for path in sorted(PROTOS.glob("pitboss/v1/*.proto"))]


def callers(house: LocalHouse) -> list[str]:
    """Return tokens of an operator and of the two players of the examples."""
    return [house.token("boss", Role.OPERATOR), house.token("ann"), house.token("bob")]


def verify(said: str) -> None:
    """Compare what an example wrote: what two seats won, and the reason of its last call's refusal."""
    lines = said.strip().splitlines()
    assert [line.split(":")[0] for line in lines] == ["seat 0", "seat 1", "refused"], said
    assert lines[-1] == "refused: ALREADY_SEATED"


@pytest.mark.parametrize("language", ["csharp", "java", "kotlin"])
def test_the_protos_give_sources(tmp_path: Path, language: str) -> None:
    """With what is shipped beside the contract and nothing else, the compiler makes sources of C#, Java and Kotlin."""
    skip_without("protoc")
    run("protoc", *where(), f"--{language}_out={tmp_path}", *protos(), *THIRD, folder=tmp_path)
    made = [path for path in tmp_path.rglob("*") if path.suffix in {".cs", ".java", ".kt"}]
    assert len(made) >= len(protos())


def test_the_example_in_csharp_plays_a_round(house: LocalHouse, crowd: people.Crowd, tmp_path: Path) -> None:
    """With .NET's own classes alone it plays a round over JSON, and reads the reason of a refusal."""
    del crowd
    skip_without("mcs", "mono")
    libraries = ("Net.Http", "Runtime.Serialization", "Xml", "Xml.Linq")
    program = tmp_path / "Round.exe"
    run(
        "mcs", f"-out:{program}", *(f"-r:System.{one}.dll" for one in libraries), EXAMPLES / "Round.cs", folder=tmp_path
    )
    verify(run("mono", program, f"http://{house.members['gateway'].address}", *callers(house), folder=tmp_path))


def test_the_example_in_kotlin_plays_a_round(house: LocalHouse, tmp_path: Path) -> None:
    """With stubs made by protoc it plays a round over gRPC, and reads the reason of a refusal."""
    skip_without("protoc", "grpc_java_plugin", "javac", "java", "kotlinc", *(f"{JARS}/{name}.jar" for name in NEEDED))
    gen, classes = tmp_path / "gen", tmp_path / "classes"
    gen.mkdir()
    classes.mkdir()
    plugin = f"--plugin=protoc-gen-grpc={shutil.which('grpc_java_plugin')}"
    run("protoc", *where(), f"--java_out={gen}", plugin, f"--grpc_out={gen}", *protos(), *THIRD, folder=tmp_path)
    libraries = ":".join(str(JARS / f"{name}.jar") for name in NEEDED)
    run("javac", "-nowarn", "-d", classes, "-cp", libraries, *sorted(gen.rglob("*.java")), folder=tmp_path)
    run(
        "kotlinc",
        EXAMPLES / "Round.kt",
        "-d",
        tmp_path / "round.jar",
        "-include-runtime",
        "-cp",
        f"{classes}:{libraries}",
        folder=tmp_path,
    )
    path = f"{tmp_path / 'round.jar'}:{classes}:{libraries}"
    verify(run("java", "-cp", path, "RoundKt", house.members["gateway"].address, *callers(house), folder=tmp_path))
