/** `--streams N`: so many misfortunes of each kind, on streams of seeds of their own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeSource } from "./changed-source.ts";
import { killBrokers } from "./killed-broker.ts";
import { MISFORTUNES } from "./misfortunes.ts";
import { tortureStream } from "./one-stream.ts";
import { tortureRate } from "./rate.ts";

/** Misfortunes that one stream bears. */
const EACH = 10;
const USUAL_RATES = 5;
const KINDS = [...MISFORTUNES, "mixed", "changed", "rate", "broker"] as const;

/** What is to be done. */
interface Torture {
  readonly times: number;
  readonly seed: number;
  /** The only kind; all of them where absent. */
  readonly kind: string | undefined;
}

/** Tortures streams one after the other. @returns the exit code */
export async function tortureStreams({ times, seed, kind }: Torture): Promise<number> {
  const kinds = KINDS.filter((it) => kind === undefined || it === kind);
  if (kinds.length === 0) throw new Error(`--kind is one of ${KINDS.join(", ")}`);
  let bad = 0;
  for (const one of kinds) {
    const streams = streamsFor(one, times);
    const before = bad;
    for (let at = 0; at < streams; at++) {
      if (!(await isRight(one, seed + at, times))) bad++;
    }
    process.stdout.write(`${one}: ${streams} streams, ${bad - before} wrong\n`);
  }
  return bad === 0 ? 0 : 1;
}

function streamsFor(kind: (typeof KINDS)[number], times: number): number {
  if (kind === "changed") return times;
  if (kind === "rate") return Math.min(times, USUAL_RATES);
  return kind === "broker" ? 1 : Math.ceil(times / EACH);
}

async function isRight(kind: (typeof KINDS)[number], seed: number, times: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "stint-torture-stream-"));
  const wrong = await tortureIn(folder, { kind, seed, times });
  if (wrong.length === 0) rmSync(folder, { recursive: true, force: true });
  else process.stdout.write(`WRONG: ${kind}, seed ${seed}: ${wrong.slice(0, 10).join("; ")} (${folder})\n`);
  return wrong.length === 0;
}

function tortureIn(
  folder: string,
  {
    kind,
    seed,
    times,
  }: { readonly kind: (typeof KINDS)[number]; readonly seed: number; readonly times: number },
): Promise<readonly string[]> {
  switch (kind) {
    case "mixed":
      return tortureStream(folder, { seed, times: EACH });
    case "changed":
      return changeSource(folder, seed);
    case "rate":
      return tortureRate(folder, seed);
    case "broker":
      return killBrokers(folder, seed, times);
    default:
      return tortureStream(folder, { seed, kinds: [kind], times: Math.min(times, EACH) });
  }
}
