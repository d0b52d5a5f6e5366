import { Text } from "@mantine/core";
import type { SimulationView } from "../app/client.ts";

const signs: Readonly<Record<SimulationView["state"], readonly [sign: string, colour: string]>> = {
  queued: ["○", "waiting"],
  running: ["▶", "running"],
  done: ["✓", "done"],
  failed: ["✕", "failed"],
};

/** State of a simulation, with a sign and a colour, and how far it is. */
export function SimulationState({
  simulation: { state, progress, ahead },
}: {
  readonly simulation: Pick<SimulationView, "state" | "progress" | "ahead">;
}) {
  const [sign, colour] = signs[state];
  return (
    <Text span size="sm" fw={600} c={`var(--stint-${colour})`} style={{ whiteSpace: "nowrap" }}>
      <span aria-hidden="true">{sign} </span>
      {state}
      {state === "running" && ` ${Math.round(100 * progress)} %`}
      {state === "queued" && ahead > 0 && ` behind ${ahead}`}
    </Text>
  );
}
