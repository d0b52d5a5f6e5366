/**
 * Where recorded workloads and independent results lie on a developer's machine: beside the checkout.
 * The product neither ships nor needs them; tests that use them skip visibly where they are absent.
 */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const shared = resolve(import.meta.dirname, "../../shared");

/** Whether the shared traces and oracles are there. */
export const hasSharedData = existsSync(join(shared, "traces")) && existsSync(join(shared, "oracles"));

/** Said by a test that is skipped for want of them. */
export const withoutSharedData = hasSharedData ? "" : " (skipped: no ../shared beside this checkout)";

/** The path of the trace whose file name begins so. */
export function tracePath(beginning: string): string {
  const folder = join(shared, "traces");
  const name = readdirSync(folder).find((file) => file.startsWith(beginning));
  if (name === undefined) throw new Error(`no trace begins with ${beginning} in ${folder}`);
  return join(folder, name);
}

/** What an independent simulator computed for one trace, told by the file's name. */
export interface Oracle {
  readonly file: string;
  readonly path: string;
  readonly trace: string;
  readonly procs: number;
  readonly discipline: string;
  readonly estimates: string;
}

/** All independent results; none where they are absent. */
export function oracles(): Oracle[] {
  if (!hasSharedData) return [];
  const folder = join(shared, "oracles");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".csv.gz"))
    .map((file) => {
      const [, trace, procs, discipline, estimates] =
        /^(.+)_(\d+)_([a-z]+)_(exact|requested)\.csv\.gz$/.exec(file) ?? [];
      return { file, path: join(folder, file), trace, procs: Number(procs), discipline, estimates };
    });
}
