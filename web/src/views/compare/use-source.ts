import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { client } from "../../app/client.ts";
import { copiedBar, type GanttBar } from "../../gantt/bar.ts";
import { simulationBars } from "../../parts/simulation-bars.ts";
import { barsOf } from "../../parts/site-bars.ts";
import { type Span, spansOf, spansOfBars } from "../../parts/spans.ts";

/** One of two schedules that are compared. */
export interface Source {
  readonly name: string;
  readonly bars: readonly GanttBar[];
  readonly spans: readonly Span[];
  readonly processors: number;
  /** Instant of a site's schedule. */
  readonly now: number | undefined;
  /** Of a simulation: the instant of its beginning. */
  readonly beginsAt: number | undefined;
}

/** Where a schedule comes from: `site:NAME` or `simulation:ID:VARIANT`. */
type Address =
  | { readonly kind: "site"; readonly site: string }
  | { readonly kind: "simulation"; readonly id: string; readonly variant: number };

const NO_ID = "-";

/** Reads an address; undefined for what is none. */
function addressOf(text: string | undefined): Address | undefined {
  const [, kind, rest = ""] = /^(site|simulation):(.+)$/.exec(text ?? "") ?? [];
  if (kind === "site") return { kind, site: rest };
  const [, id, variant] = /^([^:]+):(\d+)$/.exec(rest) ?? [];
  return id === undefined ? undefined : { kind: "simulation", id, variant: Number(variant) };
}

/** The schedule at an address, as long as there is one. */
export function useSource(text: string | undefined): {
  readonly source: Source | undefined;
  readonly error: unknown;
} {
  const address = useMemo(() => addressOf(text), [text]);
  const site = useSite(address?.kind === "site" ? address.site : undefined);
  const simulation = useSimulated(address?.kind === "simulation" ? address : undefined);
  return address?.kind === "site" ? site : simulation;
}

function useSite(site: string | undefined) {
  const { data, error } = useQuery({
    queryKey: ["site", site, "schedule", "compared"],
    queryFn: () => client.call("getSiteSchedule", { params: { name: site ?? NO_ID } }),
    enabled: site !== undefined,
    refetchInterval: 15_000,
  });
  const source = useMemo(
    (): Source | undefined =>
      data && {
        name: data.site,
        bars: barsOf(data),
        spans: spansOf(data),
        processors: data.rows,
        now: Date.parse(data.at),
        beginsAt: undefined,
      },
    [data],
  );
  return { source: site === undefined ? undefined : source, error };
}

function useSimulated(address: Extract<Address, { kind: "simulation" }> | undefined) {
  const { id, variant } = address ?? { id: NO_ID, variant: 0 };
  const simulation = useQuery({
    queryKey: ["simulation", id],
    queryFn: () => client.call("getSimulation", { params: { id } }),
    enabled: address !== undefined,
  });
  const schedule = useQuery({
    queryKey: ["simulation", id, "schedule", variant],
    queryFn: () => client.call("getSimulationSchedule", { params: { id }, query: { variant } }),
    enabled: address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const source = useMemo((): Source | undefined => {
    if (!simulation.data || !schedule.data) return undefined;
    const { name, variants, workload, createdAt } = simulation.data;
    const bars = simulationBars(schedule.data, new Map());
    return {
      name: `${name}, ${variants[variant]?.name ?? `variant ${variant + 1}`}`,
      bars,
      spans: spansOfBars(bars),
      processors: schedule.data.procs,
      now: undefined,
      beginsAt: Date.parse((workload.kind === "queue" ? workload.at : null) ?? createdAt),
    };
  }, [simulation.data, schedule.data, variant]);
  const error = simulation.error ?? schedule.error;
  return { source: address === undefined ? undefined : source, error };
}

/** A simulation at the instants of a calendar, beside a site. */
export function atInstants(source: Source): Source {
  const { beginsAt, bars } = source;
  if (beginsAt === undefined) return source;
  const moved = bars.map((bar) => ({
    ...copiedBar(bar),
    from: bar.from + beginsAt,
    until: bar.until + beginsAt,
  }));
  return { ...source, bars: moved, spans: spansOfBars(moved) };
}
