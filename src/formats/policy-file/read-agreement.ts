/**
 * Reads an agreement: what one provider and one consumer have agreed, in versions with dates.
 */
import { agreementShape, type Notations } from "../../contract/files/index.ts";
import type { Agreement, AgreementVersion } from "../../model/index.ts";
import { type NamedValue, readValue, shown, type Word, type Words } from "../yaml/index.ts";
import type { PolicyDraft, Validity } from "./draft.ts";
import type { ProviderCapacity } from "./known.ts";
import { instantOf, readPolicyList } from "./read-policy.ts";

/** An agreement, with the policies of all its versions. */
export interface AgreementReading {
  readonly agreement: Agreement;
  readonly capacity: ProviderCapacity;
  readonly drafts: readonly PolicyDraft[];
}

const example =
  "{ agreement: name, provider: site1, consumer: vo0, versions: [{ from: 2026-01-01, policies: [] }] }";

/** Reads an agreement; undefined, with a problem, without provider or consumer. */
export function readAgreement(named: NamedValue, source: number): AgreementReading | undefined {
  const { notes, value } = named;
  const { said, at, valueAt, words } = readValue(named, agreementShape, { example });
  if (said === undefined) return undefined;
  const { name, contact, offsetMs, prices, versions } = said;
  const { capacity, unit, ...definitions } = said.definitions;
  const { downtime, drain, ...amounts } = capacity;
  const party = (end: "provider" | "consumer") => ({ text: said[end].trim(), at: at(said, end) });
  const [provider, consumer] = [party("provider"), party("consumer")];
  const validityOf = ({ from, until }: Dates): Validity => ({
    fromMs: (from && instantOf(from, offsetMs)) ?? null,
    untilMs: (until && instantOf(until, offsetMs)) ?? null,
  });
  const validity = validityOf(said.validity);
  const policies = valueAt(said, "policies");
  if (policies !== undefined && versions !== undefined) notes.problem(policies.at, bothVersions);
  if (policies === undefined && !words(said).includes("versions"))
    notes.problem(value.at, noWord("versions"));
  const dated = versions?.map((version, index): AgreementVersion => {
    if (index > 0 && !words(version).includes("from")) {
      notes.problem(at(version), noWord(`versions[${index}].from`));
    }
    const { fromMs, untilMs } = validityOf(version);
    return { version: version.version ?? index + 1, fromMs: fromMs ?? validity.fromMs, untilMs };
  });
  const inTurn = dated?.map((version, index): AgreementVersion => {
    const last = dated[index - 1]?.fromMs ?? null;
    if (last !== null && version.fromMs !== null && version.fromMs <= last) {
      notes.problem(at(versions ?? [], index), outOfOrder);
    }
    return { ...version, untilMs: version.untilMs ?? dated[index + 1]?.fromMs ?? validity.untilMs };
  }) ?? [{ version: 1, ...validity }];
  const drafts = inTurn.flatMap(({ fromMs, untilMs }, index) => {
    const its = versions === undefined ? policies : valueAt(versions[index], "policies");
    if (its === undefined) return [];
    const within = versions === undefined ? "policies" : `versions[${index}].policies`;
    const context = { notes, source, offsetMs, provider, consumer, fromMs, untilMs };
    return readPolicyList({ name: within, value: its, notes }, context);
  });
  for (const draft of drafts) tellOtherParties(draft, { provider, consumer });
  const agreement: Agreement = {
    ...{ name, provider: provider.text, consumer: consumer.text, contact, offsetMs, prices, ...validity },
    definitions: {
      ...{ ...definitions, downtime, drain, time: unit.time },
      benchmark: unit.benchmark.map(({ date, thousandths }) => ({
        fromMs: instantOf(date, offsetMs),
        thousandths,
      })),
    },
    versions: inTurn,
  };
  return { agreement, capacity: amounts, drafts };
}

/** From when until when, as it was written. */
interface Dates {
  readonly from?: Notations["date"];
  readonly until?: Notations["date"];
}

function noWord(name: string): Words {
  return {
    code: "wordMissing",
    what: `${name} is missing`,
    why: "an agreement says who agreed with whom, and on which policies",
    remedy: `write for instance ${example}`,
  };
}

function tellOtherParties(
  draft: PolicyDraft,
  { provider, consumer }: { readonly provider: Word; readonly consumer: Word },
): void {
  if (draft.provider.text === provider.text && draft.consumer.text === consumer.text) return;
  draft.notes.problem(draft.at, {
    code: "otherParties",
    what: `this policy is between ${shown(draft.provider.text)} and ${shown(draft.consumer.text)}`,
    why: `the agreement is between ${shown(provider.text)} and ${shown(consumer.text)}`,
    remedy: "put it into an agreement, or a policy file, of those two",
  });
}

const bothVersions = {
  code: "bothVersions",
  what: "both policies: and versions: are given",
  why: "it would not be clear when these policies are in effect",
  remedy: "put them into a version",
};
const outOfOrder = {
  code: "versionsOutOfOrder",
  what: "this version does not begin after the one before",
  why: "each version is in force until the next one begins",
  remedy: "sort the versions by date",
};
