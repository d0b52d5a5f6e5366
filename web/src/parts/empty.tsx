import { Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** What to do where there is nothing to show yet. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Paper withBorder p="lg" ta="center">
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" size="sm" component="div">
        {children}
      </Text>
    </Paper>
  );
}
