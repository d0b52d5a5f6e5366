import { Alert, Anchor, List, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { numberText } from "../../parts/format.ts";
import type { Trouble } from "./troubles.ts";

const SHOWN = 8;

/** What needs attention, each with a link to it; absent if nothing does. */
export function Attention({ troubles }: { readonly troubles: readonly Trouble[] }) {
  if (troubles.length === 0) return null;
  const more = troubles.length - SHOWN;
  return (
    <Alert color="yellow" variant="light" title="Needs attention">
      <List size="sm">
        {troubles.slice(0, SHOWN).map(({ key, href, title, text }) => (
          <List.Item key={key}>
            <Anchor component={Link} to={href} size="sm" underline="always">
              {title}
            </Anchor>
            : {text}
          </List.Item>
        ))}
      </List>
      {more > 0 && (
        <Text size="sm" mt={4}>
          and {numberText(more)} more that failed within the last hour, in{" "}
          <Anchor component={Link} to="/jobs" size="sm" underline="always">
            Jobs
          </Anchor>
        </Text>
      )}
    </Alert>
  );
}
