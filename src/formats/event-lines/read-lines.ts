/**
 * Reads event lines in the Universal Logger Message form: `DATE=… HOST="…" DG.EVNT="Running" …`.
 *
 * Source: the ULM draft of Abela and Debeaupuis, with the fields of gLite's Logging and Bookkeeping.
 */
import { shortened } from "../../base/index.ts";
import type { BookedEvent } from "../../bookkeeping/index.ts";
import { readCode } from "../../bookkeeping/index.ts";
import { kindOf, sourceOf } from "./event-fields.ts";

/** An event of the job that it names. */
export interface JobEvent extends BookedEvent {
  readonly job: string;
}

const FIELD = /\s*([A-Za-z][\w.-]*)=("(?:[^"\\]|\\.)*"|[^\s"]*)/y;

/** One line; the reason where it is none. */
export function readEventLine(line: string): JobEvent | string {
  const fields = fieldsOf(line);
  if (typeof fields === "string") return fields;
  const need = (name: string): string => fields.get(name) ?? "";
  for (const name of ["DG.EVNT", "DG.JOBID", "DG.SEQCODE", "DG.SOURCE"]) {
    if (need(name) === "") return `it has no ${name}`;
  }
  const source = sourceOf(need("DG.SOURCE"));
  if (source === undefined) return `DG.SOURCE ${quoted(need("DG.SOURCE"))} is no component with a counter`;
  const code = readCode(need("DG.SEQCODE"));
  if (code === undefined) return `DG.SEQCODE ${quoted(need("DG.SEQCODE"))} is no sequence code`;
  const atMs = dateOf(need("DATE"));
  if (atMs === undefined) return `DATE ${quoted(need("DATE"))} is not of the form YYYYMMDDhhmmss.uuuuuu`;
  const kind = kindOf(need("DG.EVNT"));
  const prefix = `DG.${kind.toUpperCase()}.`;
  const facts = [...fields].filter(([name]) => name.startsWith(prefix));
  const named = facts.map(([name, value]) => [name.slice(prefix.length), value]);
  return { job: need("DG.JOBID"), source, code, kind, atMs, facts: Object.fromEntries(named) };
}

/** Fields by their names in capitals. */
function fieldsOf(line: string): ReadonlyMap<string, string> | string {
  const fields = new Map<string, string>();
  FIELD.lastIndex = 0;
  for (let at = 0; at < line.length; at = FIELD.lastIndex) {
    const found = FIELD.exec(line);
    if (found === null) {
      const rest = line.slice(at).trim();
      return rest === "" ? fields : `${quoted(rest)} is no field of the form NAME=value`;
    }
    const [, name = "", value = ""] = found;
    fields.set(name.toUpperCase(), value.startsWith('"') ? unquoted(value) : value);
  }
  return fields;
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, (_, letter: string) => (letter === "n" ? "\n" : letter));
}

function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

/** Universal time, as the form has it. */
function dateOf(text: string): number | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{1,9}))?$/.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number);
  const atMs = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  return Number.isNaN(atMs) ? undefined : atMs + Math.floor(Number(`0.${found[7] ?? 0}`) * 1000);
}
