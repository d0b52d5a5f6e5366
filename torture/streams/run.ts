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
/** Streams whose rate is judged, where nothing else is asked for: each takes a quarter of a minute. */
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
    const streams =
      one === "rate" && kind === undefined ? Math.min(times, USUAL_RATES) : streamsFor(one, times);
    const before = bad;
    const windows = { judged: 0, leftOut: 0 };
    for (let at = 0; at < streams; at++) {
      if (!(await isRight({ kind: one, seed: seed + at, times }, windows))) bad++;
    }
    process.stdout.write(`${one}: ${streams} streams, ${bad - before} wrong\n`);
    if (one === "rate" && !isJudged(windows)) bad++;
  }
  return bad === 0 ? 0 : 1;
}

/** Writes how much of the rates could be judged. @returns false if nothing could */
function isJudged({ judged, leftOut }: Windows): boolean {
  const words = `${judged} windows of ten seconds judged, ${leftOut} left out: the machine was too busy`;
  process.stdout.write(`rate: ${words}\n`);
  return judged > 0;
}

function streamsFor(kind: Kind, times: number): number {
  if (kind === "changed" || kind === "rate") return times;
  return kind === "broker" ? 1 : Math.ceil(times / EACH);
}

type Kind = (typeof KINDS)[number];

/** A stream of one kind. */
interface Tortured {
  readonly kind: Kind;
  readonly seed: number;
  readonly times: number;
}

/** Windows of ten seconds of all streams. */
interface Windows {
  judged: number;
  leftOut: number;
}

async function isRight(tortured: Tortured, windows: Windows): Promise<boolean> {
  const { kind, seed } = tortured;
  const folder = mkdtempSync(join(tmpdir(), "stint-torture-stream-"));
  const wrong = await tortureIn(folder, tortured, windows);
  if (wrong.length === 0) rmSync(folder, { recursive: true, force: true });
  else process.stdout.write(`WRONG: ${kind}, seed ${seed}: ${wrong.slice(0, 10).join("; ")} (${folder})\n`);
  return wrong.length === 0;
}

async function tortureIn(
  folder: string,
  { kind, seed, times }: Tortured,
  windows: Windows,
): Promise<readonly string[]> {
  switch (kind) {
    case "mixed":
      return tortureStream(folder, { seed, times: EACH });
    case "changed":
      return changeSource(folder, seed);
    case "rate": {
      const { wrong, judged, leftOut } = await tortureRate(folder, seed);
      windows.judged += judged;
      windows.leftOut += leftOut;
      return wrong;
    }
    case "broker":
      return killBrokers(folder, seed, times);
    default:
      return tortureStream(folder, { seed, kinds: [kind], times: Math.min(times, EACH) });
  }
}
