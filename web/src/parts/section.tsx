import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A titled part of a view. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack component="section" gap="xs" mb="lg" aria-label={title}>
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}
