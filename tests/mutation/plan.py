"""What ``__main__`` asks of the pytest plugins that it runs in the copy."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from tests.mutation.mutants import Mutant

FILE = "pitboss_plan.json"
MAP_ENV = "PITBOSS_MUTATION_MAP"


@dataclass(frozen=True)
class Plan:
    """The mutants, the seconds of one, the time (since 1970) after which none begins, the report and the map."""

    sample: list[Mutant]
    seconds: int
    until: float
    out: Path
    map: Path

    def write(self, copy: Path) -> None:
        """Write the plan into the copy."""
        found = {**asdict(self), "out": str(self.out), "map": str(self.map)}
        (copy / FILE).write_text(json.dumps(found), encoding="utf-8")

    @classmethod
    def read(cls, copy: Path) -> Self:
        """Return the plan in the copy."""
        found = json.loads((copy / FILE).read_text(encoding="utf-8"))
        sample = [Mutant(**one) for one in found["sample"]]
        return cls(sample, found["seconds"], found["until"], Path(found["out"]), Path(found["map"]))
