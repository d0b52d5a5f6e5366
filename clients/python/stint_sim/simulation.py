"""One simulation of one trace."""

import csv
import json
import os
import shlex
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union, cast

from .report import SimulationReport

Option = Union[str, int, float, bool, "os.PathLike[str]", None]

#: Options of ``stint sim`` that ``run`` sets itself, or that print something else than a report.
_RESERVED = {
    "output": "the report is read from JSON",
    "jobs_out": "give jobs=True, and read Simulation.jobs",
    "progress": "no progress is shown",
    "baseline": "it prints a comparison: use the command",
    "what_if": "it prints a comparison: use the command",
    "from_live": "it prints a comparison: use the command",
}


class SimulationError(Exception):
    """What ``stint`` refused: ``what`` happened, ``why``, and the ``remedy``."""

    def __init__(self, message: str) -> None:
        lines = [line.strip() for line in message.strip().splitlines()]
        self.what = lines[0].removeprefix("stint:").strip() if lines else "stint failed"
        self.why = next((it[4:].strip() for it in lines if it.startswith("why:")), "")
        self.remedy = next((it[3:].strip() for it in lines if it.startswith("do:")), "")
        super().__init__(message.strip() or self.what)


@dataclass(frozen=True)
class Simulation:
    """The result of a simulation."""

    #: The whole report, as ``stint sim -o json`` prints it.
    report: SimulationReport
    #: A row per job, in order of submission, times in seconds since the first submission: a pandas
    #: DataFrame, or a list of dictionaries without pandas. None unless ``jobs=True``.
    jobs: Any
    #: One row with every number of the report: a DataFrame, or a list of one dictionary. Rows of several
    #: simulations can be concatenated.
    metrics: Any
    #: The jobs by "class", "user" or "group", as ``by`` asked for: of each a DataFrame, or a list of
    #: dictionaries, with a row per class, user or group under the JSON keys of the report.
    groups: Mapping[str, Any] = field(default_factory=dict)
    #: How evenly users and groups were served: a row for each of ``by`` that has it; as ``metrics``.
    fairness: Any = None


def run(
    trace: Union[str, "os.PathLike[str]"],
    *,
    jobs: bool = True,
    pandas: Optional[bool] = None,
    command: Union[str, Sequence[str], None] = None,
    **options: Union[Option, Sequence[Option]],
) -> Simulation:
    """Simulates a trace in SWF or a workload in JSON lines.

    ``options`` are those of ``stint sim`` with underscores: ``run("a.swf", discipline="easy", procs=128)``.
    True gives a flag alone, None and False leave it out, a list repeats it. ``pandas`` says whether results
    are data frames; by default they are where pandas is installed. ``command`` starts ``stint``: a list of
    words or a command line; by default $STINT, else ``stint`` on the PATH.

    Raises SimulationError where ``stint`` refuses, and FileNotFoundError where there is no ``stint``.
    """
    with tempfile.TemporaryDirectory(prefix="stint-sim-") as folder:
        rows = Path(folder) / "jobs.csv"
        words = [*_command(command), "sim", os.fspath(trace), "--output", "json", "--no-progress"]
        words += _flags(options)
        if jobs:
            words += ["--jobs-out", str(rows)]
        done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8")
        if done.returncode != 0:
            raise SimulationError(done.stderr)
        report = cast(SimulationReport, json.loads(done.stdout))
        table = _frames() if pandas is not False else None
        if pandas is True and table is None:
            raise ImportError("pandas=True was given, and pandas is not installed")
        found = _read_jobs(rows) if jobs else None
        metrics: List[Dict[str, Any]] = [_numbers(report)]
    grouped = report.get("grouped", [])
    groups = {it["by"]: it["groups"] for it in grouped}
    fairness = [{"by": it["by"], **it["fairness"]} for it in grouped if "fairness" in it]
    if table is None:
        return Simulation(report=report, jobs=found, metrics=metrics, groups=groups, fairness=fairness)
    return Simulation(
        report=report,
        jobs=None if found is None else table.DataFrame(found),
        metrics=table.DataFrame(metrics),
        groups={by: table.DataFrame(rows) for by, rows in groups.items()},
        fairness=table.DataFrame(fairness),
    )


def _command(given: Union[str, Sequence[str], None]) -> List[str]:
    words = given if given is not None else os.environ.get("STINT") or "stint"
    return shlex.split(words) if isinstance(words, str) else list(words)


def _flags(options: Mapping[str, Union[Option, Sequence[Option]]]) -> List[str]:
    words: List[str] = []
    for name, value in options.items():
        if name in _RESERVED:
            raise TypeError(f"{name} is no option of run(): {_RESERVED[name]}")
        flag = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None or one is False:
                continue
            words += [flag] if one is True else [flag, os.fspath(one) if hasattr(one, "__fspath__") else str(one)]
    return words


def _frames() -> Any:
    try:
        import pandas
    except ImportError:
        return None
    return pandas


_TEXTS = {"job_id", "pool", "user"}


def _read_jobs(path: Path) -> List[Dict[str, Any]]:
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: _value(name, text) for name, text in row.items()} for row in csv.DictReader(file)]


def _value(name: str, text: str) -> Any:
    if name in _TEXTS:
        return text
    if text == "":
        return None
    if name in ("backfilled", "reserved"):
        return text == "1"
    number = float(text)
    return int(number) if number.is_integer() else number


def _numbers(report: Mapping[str, Any]) -> Dict[str, Any]:
    """The words and numbers of a report; those of its parts under ``part.name``."""
    flat: Dict[str, Any] = {}
    for name, value in report.items():
        if isinstance(value, dict):
            flat.update({f"{name}.{inner}": it for inner, it in _numbers(value).items()})
        elif not isinstance(value, list):
            flat[name] = value
    return flat
