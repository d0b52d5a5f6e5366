import { Alert, Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { client, type PricedStartView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { useMay } from "../../app/session.ts";
import type { Rectangle } from "../../gantt/bar.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText, suText } from "../../parts/format.ts";
import { instantText } from "../../parts/time.tsx";

/**
 * Price of a rectangle, whom it would delay and by how much; one click reserves it.
 *
 * Of a rectangle that was drawn by keyboard, the button is focused once the price is shown, so that Enter
 * reserves it; afterwards the chart has the focus again.
 */
export function SlotPrice({
  site,
  slot,
  onDone,
}: {
  readonly site: string;
  readonly slot: Rectangle & { readonly isByKey?: boolean };
  readonly onDone: () => void;
}) {
  const may = useMay();
  // A slot of the past begins now; its length stays.
  const startMs = Math.max(slot.from, Date.now() + 2000);
  const body = {
    procs: slot.procs,
    durationSec: Math.max(1, Math.round((slot.until - slot.from) / 1000)),
    startAt: new Date(Math.ceil(startMs / 1000) * 1000).toISOString(),
  };
  const quote = useQuery({
    queryKey: ["quote", site, slot],
    queryFn: () => client.quote({ ...body, sites: [site] }),
    staleTime: 10_000,
  });
  const reserve = useMutation({
    mutationFn: async (startAt: string) => {
      const offer = await client.offer({ site, ...body, startAt });
      return client.accept(offer.id);
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  const [answer] = quote.data?.items ?? [];
  const [start] = answer?.starts ?? [];
  const length = lengthText(slot.until - slot.from);
  const size = `${slot.procs} processor${slot.procs === 1 ? "" : "s"} for ${length}`;
  const canReserve = start !== undefined && start.hindrance === null && may("reserve") && !reserve.data;
  const button = useFocusAtPrice(slot.isByKey === true, canReserve);
  return (
    <Alert color="ink" variant="light" title={size} withCloseButton closeButtonLabel="Close" onClose={onDone}>
      <div aria-live="polite">
        <FaultNote error={quote.error ?? reserve.error} />
        {reserve.data && (
          <Text size="sm" role="status">
            ✓ Reserved: {reserve.data.id}. To run a job in it: stint submit --reservation {reserve.data.id}
          </Text>
        )}
        {quote.isPending && <Text size="sm">Requesting the price …</Text>}
        {quote.data && start === undefined && reserve.data === undefined && (
          <Text size="sm">{answer?.trouble ?? "This slot cannot be reserved at that time."}</Text>
        )}
        {start !== undefined && reserve.data === undefined && (
          <>
            <Priced start={start} />
            <Group mt="xs">
              {canReserve && (
                <Button
                  ref={button}
                  loading={reserve.isPending}
                  onKeyDown={({ key }) => key === "Escape" && onDone()}
                  onClick={() => reserve.mutate(start.startAt)}
                >
                  Reserve it for {suText(start.priceSu)}
                </Button>
              )}
            </Group>
          </>
        )}
      </div>
    </Alert>
  );
}

/** Start, price, delays of other jobs, and the reason if the slot cannot be reserved. */
function Priced({ start }: { readonly start: PricedStartView }) {
  const { startAt, priceSu, effect, hindrance } = start;
  return (
    <>
      <Text size="sm">
        From {instantText(startAt)}: <strong>{suText(priceSu)}</strong>; {effect}
      </Text>
      <Delays start={start} />
      {hindrance !== null && (
        <Text size="sm" c="var(--stint-failed)">
          ✕ {hindrance.text}
        </Text>
      )}
    </>
  );
}

/** A button that can take the focus when it appears; afterwards the focus returns to where it was. */
function useFocusAtPrice(isWanted: boolean, isShown: boolean): React.RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    if (!isWanted || !isShown || !(before instanceof HTMLElement)) return;
    button.current?.focus();
    return () => before.focus();
  }, [isWanted, isShown]);
  return button;
}

function Delays({ start: { delays } }: { readonly start: PricedStartView }) {
  if (delays === null || delays.jobs === 0) return null;
  const { jobs, totalSec, worstSec } = delays;
  return (
    <Text size="sm">
      {jobs} waiting job{jobs === 1 ? "" : "s"} would start later, by {lengthText(1000 * totalSec)} in total
      and at most {lengthText(1000 * worstSec)} each.
    </Text>
  );
}
