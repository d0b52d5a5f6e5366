/**
 * What a job had, or asked for: processors, memory, GPUs, of the whole job.
 *
 * TRES say it for the whole job in every version; ReqMem is of the whole job from 21.08 on, and before of a
 * node (`4Gn`) or a processor (`4000Mc`). What was allocated counts before what was asked for.
 */
import { saidNumber, saidText, sizeBytes, tresOf } from "./words.ts";

/** The fields that amounts are read from, as sacct wrote them. */
export interface AmountTexts {
  readonly allocCpus: string | undefined;
  readonly reqCpus: string | undefined;
  readonly reqMem: string | undefined;
  readonly allocTres: string | undefined;
  readonly reqTres: string | undefined;
  readonly nodes: string | undefined;
}

/** Amounts of a whole job; 0 processors where none are known. */
export interface JobAmounts {
  readonly procs: number;
  /** Bytes; undefined where nothing is known. */
  readonly memoryBytes: number | undefined;
  readonly gpus: number;
  readonly nodes: number;
}

/** The amounts of a row. */
export function amountsOf(texts: AmountTexts): JobAmounts {
  const allocated = tresOf(texts.allocTres);
  const asked = tresOf(texts.reqTres);
  const procs = saidNumber(texts.allocCpus) || allocated.cpu || saidNumber(texts.reqCpus) || asked.cpu || 0;
  const nodes = allocated.node || saidNumber(texts.nodes) || asked.node || 1;
  // A request for all memory of a node is written as 0, and only what was allocated says how much it is.
  const memoryBytes = allocated.mem || asked.mem || memoryAsked(texts.reqMem, { procs, nodes }) || undefined;
  const gpus = Object.keys(allocated).length > 0 ? gpusIn(allocated) : gpusIn(asked);
  return { procs, memoryBytes, gpus, nodes };
}

function memoryAsked(
  text: string | undefined,
  { procs, nodes }: { readonly procs: number; readonly nodes: number },
): number {
  const bytes = sizeBytes(text) ?? 0;
  const said = saidText(text) ?? "";
  if (said.endsWith("n")) return bytes * nodes;
  return said.endsWith("c") ? bytes * procs : bytes;
}

/** `gres/gpu` is all of them; where only types are said, their sum. */
function gpusIn(tres: Readonly<Record<string, number>>): number {
  const typed = Object.entries(tres).filter(([name]) => name.startsWith("gres/gpu:"));
  return tres["gres/gpu"] ?? typed.reduce((sum, [, count]) => sum + count, 0);
}
