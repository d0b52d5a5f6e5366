/**
 * Reads the rules of reservations where they stand alone: what `reservations` of a site would say.
 */
import type { ReservationRules } from "../../model/index.ts";
import { type NamedValue, type ReadWord, type Remark, readEntries, yamlDocuments } from "../yaml/index.ts";
import type { Said } from "./configuration.ts";
import { RESERVATION_WORDS, type ReservationWords, rulesFrom } from "./reservation-words.ts";

/** What a text says, and what is wrong with it; it counts when there are no problems. */
export interface RulesReading {
  /** Undefined where nothing is said. */
  readonly rules: ReservationRules | undefined;
  readonly problems: readonly Remark[];
}

/** Reads `{ ahead: 7d, share: 0.25 }`; never throws for what it says. */
export function readRules(text: string): RulesReading {
  const { notes, documents } = yamlDocuments(text);
  const draft: Record<string, Said<unknown>> = {};
  const words = new Map(
    (Object.keys(RESERVATION_WORDS) as (keyof ReservationWords)[]).map((path): [string, ReadWord] => [
      path.slice("reservations.".length),
      (named: NamedValue) => {
        const value = RESERVATION_WORDS[path](named);
        if (value !== undefined) draft[path] = { value, line: notes.lineOf(named.value.at) };
      },
    ]),
  );
  for (const { value } of documents()) {
    readEntries({ name: "", value, notes }, { words, example: "{ ahead: 7d, share: 0.25 }" });
  }
  const { problems, warnings } = notes.collected();
  const rules = rulesFrom(draft as Parameters<typeof rulesFrom>[0]).reservations;
  return { rules, problems: [...problems, ...warnings] };
}
