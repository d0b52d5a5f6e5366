import { Anchor, Group, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

/** Title of a view, with what can be done, and the JSON that it shows. */
export function Heading({
  title,
  json,
  children,
}: {
  readonly title: string;
  /** URL of the same content for programs. */
  readonly json?: string;
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Stint`;
  }, [title]);
  return (
    <Group justify="space-between" mb="xs" gap="xs">
      <Title order={1}>{title}</Title>
      <Group gap="xs">
        {children}
        {json !== undefined && (
          <Anchor href={json} size="sm" target="_blank">
            JSON
          </Anchor>
        )}
      </Group>
    </Group>
  );
}
