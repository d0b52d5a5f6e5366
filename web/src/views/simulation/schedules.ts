import { useQueries } from "@tanstack/react-query";
import { client, type SimulationSchedule } from "../../app/client.ts";

/** Schedules of the variants of a simulation; undefined until all are there. */
export interface Schedules {
  readonly data: readonly SimulationSchedule[] | undefined;
  readonly error: unknown;
}

/** The schedules of a simulation that is done; they never change. */
export function useSchedules(id: string, variants: number): Schedules {
  return useQueries({
    queries: Array.from({ length: variants }, (_, variant) => ({
      queryKey: ["simulation", id, "schedule", variant],
      queryFn: () => client.call("getSimulationSchedule", { params: { id }, query: { variant } }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: (queries): Schedules => {
      const read = queries.flatMap(({ data }) => data ?? []);
      return {
        data: read.length === variants ? read : undefined,
        error: queries.find(({ error }) => error)?.error,
      };
    },
  });
}
