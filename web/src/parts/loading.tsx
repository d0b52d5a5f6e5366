import { Group, Loader, type MantineSpacing } from "@mantine/core";

/** Stands where a view will be, and is announced, until its data have come. */
export function Loading({ what, m = 0 }: { readonly what?: string; readonly m?: MantineSpacing }) {
  const label = what === undefined ? "Loading" : `Loading ${what}`;
  return (
    <Group role="status" aria-label={label} m={m}>
      <Loader aria-hidden />
    </Group>
  );
}
