import { Anchor, Stack, Text, Title } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { Link } from "@tanstack/react-router";
import { FaultNote } from "../parts/fault-note.tsx";

/** Shown for a path without a view. */
export function NotFound() {
  return (
    <Stack p="md">
      <Title order={1}>Page not found</Title>
      <Text>
        The link may be incomplete, or belong to another version of Stint.{" "}
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
      <Title order={1}>This view failed</Title>
      <FaultNote error={error} />
      <Text>Reload the page. If the error occurs again, report the text in the box.</Text>
    </Stack>
  );
}
