/** Scouts of a sweep: their measurements and proposal, with buttons to apply or decline it. */
import { Group } from "@mantine/core";
import { type ArrayView, client } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { FactTable } from "../../parts/fact-table.tsx";
import { lengthText, limitText, measuredText } from "../../parts/format.ts";
import { Section } from "../../parts/section.tsx";
import { type VerbButton, VerbButtons } from "../../parts/verb-buttons.tsx";

type ScoutsView = NonNullable<ArrayView["scouts"]>;

export function Scouts({ array: { id, scouts } }: { readonly array: ArrayView }) {
  const may = useMay();
  if (scouts === undefined) return null;
  const { jobs, ended, succeeded, longestSec, peakMemoryBytes, outcome, proposal } = scouts;
  const decide = (use: boolean) => () => client.call("decideScouts", { params: { id }, body: { use } });
  const verbs: VerbButton[] = [];
  const isOpen = may("release") && outcome !== null && outcome !== "used";
  if (isOpen && proposal !== undefined) verbs.push({ label: "Use the proposal", act: decide(true) });
  if (isOpen && outcome === "waiting") verbs.push({ label: "Run as described", act: decide(false) });
  return (
    <Section title="Scouts">
      <FactTable
        rows={[
          ["Ended", `${ended} of ${jobs}, ${succeeded} succeeded`],
          ["Longest run", succeeded === 0 ? "not known yet" : lengthText(1000 * longestSec)],
          ["Largest memory", peakMemoryBytes === null ? "not measured" : measuredText(peakMemoryBytes)],
          ["Proposal", proposalText(proposal)],
          ["Other jobs", OUTCOMES[outcome ?? "none"]],
        ]}
      />
      <Group mt="sm">
        <VerbButtons verbs={verbs} stale={["array", id]} />
      </Group>
    </Section>
  );
}

const OUTCOMES = {
  none: "wait until the scouts have ended",
  waiting: "wait for a decision",
  kept: "run as described",
  used: "run with the proposal",
} as const;

function proposalText(proposal: ScoutsView["proposal"]): string {
  const { wallTimeSec, memoryBytes } = proposal ?? {};
  const parts = [
    ...(wallTimeSec === undefined ? [] : [`time limit ${limitText(wallTimeSec)}`]),
    ...(memoryBytes === undefined ? [] : [`memory ${measuredText(memoryBytes)}`]),
  ];
  return parts.length === 0 ? "none" : parts.join(", ");
}
