/**
 * Sequence codes: one counter for each component, which raises its own with every event that it logs, and
 * passes the code on with the job.
 */

/** Components in the order of a code: the user's interface first, the programs at the site last. */
export const COMPONENTS = ["UI", "NS", "WM", "BH", "JSS", "LM", "LRMS", "APP", "LBS"] as const;

/** User interface, network server, workload manager, helper, submission, log monitor, batch system, … */
export type Component = (typeof COMPONENTS)[number];

/** The counters, in the order of `COMPONENTS`. */
export type SequenceCode = readonly number[];

const NAMES: readonly string[] = COMPONENTS;
const LARGEST_COUNTER = 9_999_999_999;

/** A code such as `UI=2:NS=0:WM=1:…`; components that are left out count 0. Undefined: it is none. */
export function readCode(text: string): SequenceCode | undefined {
  const counters = COMPONENTS.map(() => 0);
  const parts = text.trim().split(":");
  if (parts.length > COMPONENTS.length) return undefined;
  for (const part of parts) {
    const found = /^([A-Z]{2,4})=(\d{1,10})$/.exec(part);
    const index = NAMES.indexOf(found?.[1] ?? "");
    const counter = Number(found?.[2]);
    if (index < 0 || !(counter <= LARGEST_COUNTER)) return undefined;
    counters[index] = counter;
  }
  return counters;
}

/** The code as it is written in event lines, without leading zeros. */
export function codeText(code: SequenceCode): string {
  return COMPONENTS.map((name, index) => `${name}=${code[index] ?? 0}`).join(":");
}

/** The counter of one component. */
export function counterOf(code: SequenceCode, component: Component): number {
  return code[COMPONENTS.indexOf(component)] ?? 0;
}

/** The code after one more event of a component. */
export function raised(code: SequenceCode, component: Component): SequenceCode {
  const at = COMPONENTS.indexOf(component);
  return COMPONENTS.map((_, index) => (code[index] ?? 0) + (index === at ? 1 : 0));
}

/** Negative where `a` comes before `b`, zero where they are equal. */
export function compareCodes(a: SequenceCode, b: SequenceCode): number {
  for (const index of COMPONENTS.keys()) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
