"""Runs the command that $STINT names; the tests of the project do so with the one that was built."""

import importlib.util
import os
import sys
import unittest
from pathlib import Path
from typing import Dict, List

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stint_sim import SimulationError, run  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
TRACE = ROOT / "examples" / "poisson.swf"
WORKLOAD = ROOT / "examples" / "two-pools.workload.jsonl"
HAS_PANDAS = importlib.util.find_spec("pandas") is not None


class Run(unittest.TestCase):
    def test_report_jobs_and_metrics_agree(self) -> None:
        done = run(TRACE, discipline="fcfs", procs=200, pandas=False)
        self.assertEqual((done.report["discipline"], done.report["procs"]), ("fcfs", 200))
        self.assertEqual(done.report["jobs"], len(done.jobs))
        waits = [job["wait"] for job in done.jobs]
        self.assertAlmostEqual(sum(waits) / len(waits), done.report["waitMeanSec"])
        (row,) = done.metrics
        self.assertEqual(row["waitMeanSec"], done.report["waitMeanSec"])
        self.assertEqual(row["skipped.noProcs"], 0)

    def test_columns_have_their_types(self) -> None:
        first = run(TRACE, pandas=False).jobs[0]
        self.assertEqual(first["job_id"], "1")
        self.assertEqual((first["submit"], first["procs"], first["backfilled"]), (0, 64, False))
        self.assertIsNone(first["planned_start"])

    def test_a_workload_in_json_lines(self) -> None:
        done = run(WORKLOAD, discipline="conservative", pandas=False)
        self.assertIn("workload", done.report)
        self.assertTrue({job["pool"] for job in done.jobs})

    def test_options_that_are_left_out_and_repeated(self) -> None:
        policies = [ROOT / "examples" / "policies" / "none.yaml"] * 2
        with self.assertRaises(SimulationError) as caught:
            run(TRACE, lenient=True, priority=None, policies=policies)
        self.assertIn("none.yaml", caught.exception.what)

    def test_refusals_have_three_sentences(self) -> None:
        with self.assertRaises(SimulationError) as caught:
            run("there-is-no.swf")
        self.assertIn("there-is-no.swf", caught.exception.what)
        self.assertTrue(caught.exception.why)
        self.assertTrue(caught.exception.remedy)

    def test_options_that_run_sets_itself(self) -> None:
        for name in ("output", "jobs_out", "what_if"):
            with self.assertRaisesRegex(TypeError, name):
                run(TRACE, **{name: "x"})

    def test_jobs_by_class_and_user(self) -> None:
        done = run(TRACE, by=["class", "user"], pandas=False)
        self.assertEqual(set(done.groups), {"class", "user"})
        for groups in done.groups.values():
            self.assertEqual(sum(it["jobs"] for it in groups), done.report["jobs"])
        waits: Dict[str, List[float]] = {}
        for job in done.jobs:
            waits.setdefault(job["user"], []).append(job["wait"])
        for user in done.groups["user"]:
            own = waits[user["name"]]
            self.assertAlmostEqual(user["waitMeanSec"], sum(own) / len(own))
        (row,) = done.fairness
        means = [sum(own) / len(own) for own in waits.values()]
        jain = sum(means) ** 2 / (len(means) * sum(it**2 for it in means))
        self.assertEqual((row["by"], row["count"]), ("user", len(waits)))
        self.assertAlmostEqual(row["waitJain"], jain)

    def test_no_groups_where_none_are_wanted(self) -> None:
        done = run(TRACE, jobs=False, pandas=False)
        self.assertEqual((done.groups, done.fairness), ({}, []))

    def test_no_jobs_where_none_are_wanted(self) -> None:
        self.assertIsNone(run(TRACE, jobs=False).jobs)

    def test_no_command(self) -> None:
        with self.assertRaises(FileNotFoundError):
            run(TRACE, command=[os.fspath(ROOT / "no-such-command")])

    @unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
    def test_data_frames(self) -> None:
        done = run(TRACE, by="user")
        self.assertEqual(len(done.jobs), done.report["jobs"])
        means = done.jobs.groupby("user")["wait"].mean()
        by_user = done.groups["user"].set_index("name")["waitMeanSec"]
        self.assertTrue(((means - by_user).abs() < 1e-6).all())
        self.assertEqual(done.fairness["count"][0], len(means))
        self.assertAlmostEqual(done.jobs["wait"].mean(), done.metrics["waitMeanSec"][0])

    @unittest.skipIf(HAS_PANDAS, "pandas is installed")
    def test_data_frames_without_pandas(self) -> None:
        self.assertIsInstance(run(TRACE).jobs, list)
        with self.assertRaises(ImportError):
            run(TRACE, pandas=True)


if __name__ == "__main__":
    unittest.main()
