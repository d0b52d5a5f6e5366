import { Group } from "@mantine/core";
import { numberText } from "./format.ts";
import { placeOf, StateWord, stateColour } from "./state-word.tsx";

/** How many are in each state: as a bar whose parts have their widths, and in words. */
export function StateCounts({ states }: { readonly states: Readonly<Record<string, number>> }) {
  const some = Object.entries(states)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => placeOf(a) - placeOf(b));
  return (
    <div>
      <div className="shares" aria-hidden="true">
        {some.map(([state, count]) => (
          <span key={state} style={{ flexGrow: count, background: stateColour(state) }} />
        ))}
      </div>
      <Group gap="0 0.75rem" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {some.map(([state, count]) => (
          <li key={state}>
            <StateWord state={state} text={`${numberText(count)} ${state}`} size="xs" />
          </li>
        ))}
      </Group>
    </div>
  );
}
