/** Scripts read in tests, with what their directives came to. */
import type { JobDescription } from "../../model/index.ts";
import type { JobReading } from "../job-reading/index.ts";
import { readBatchScript } from "./index.ts";

/** Reads a script of these directives; `in.txt` exists. */
export function readScript(text: string): JobReading {
  return readBatchScript(text, {
    folder: "/data/ada",
    file: "/data/ada/run.sh",
    fileState: (path) => (path === "/data/ada/in.txt" ? "readable" : "missing"),
  });
}

/** Attributes of the one job that differ from those of a script without directives, and the verdicts. */
export function becomes(directives: string, without: string): readonly unknown[] {
  const plain = described(readScript(`#!/bin/sh\n${without}\ntrue\n`));
  const { jobs, problems, translations } = readScript(`#!/bin/sh\n${directives}\ntrue\n`);
  if (problems.length > 0) return problems.map(({ line, column, what }) => `${line}:${column} ${what}`);
  const set = Object.entries(described({ jobs })).filter(
    ([name, value]) => name !== "environment" && JSON.stringify(value) !== JSON.stringify(plain[name]),
  );
  const verdicts = translations.map(({ verdict }) => verdict);
  return [verdicts.join(" "), Object.fromEntries(set)];
}

function described({ jobs }: Pick<JobReading, "jobs">): Readonly<Record<string, unknown>> {
  const [job] = jobs;
  const { attributes = {}, ...description }: Partial<JobDescription> = job?.description ?? {};
  const plain = Object.entries(attributes).map(([name, value]) => [name, JSON.parse(value)]);
  return { ...description, ...Object.fromEntries(plain) };
}
