import { Anchor, Stack, Text, Title } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { Link } from "@tanstack/react-router";
import { FaultNote } from "../parts/fault-note.tsx";

/** Shown for a path without a view. */
export function NotFound() {
  return (
    <Stack p="md">
      <Title order={1}>Nothing is at this address</Title>
      <Text>
        The link may be from another version, or be cut off.{" "}
        <Anchor component={Link} to="/">
          Go to Now
        </Anchor>
        .
      </Text>
    </Stack>
  );
}

/** Shown where a view has failed: the others still work. */
export function Crash({ error }: ErrorComponentProps) {
  return (
    <Stack p="md">
      <Title order={1}>This view has failed</Title>
      <FaultNote error={error} />
      <Text>Load the page again; if it happens again, report what the box says.</Text>
    </Stack>
  );
}
