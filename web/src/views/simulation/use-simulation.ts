import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { client, pathOf, type SimulationResultView, type SimulationView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";

/** A simulation, followed until it has ended. */
export function useSimulation(id: string) {
  const key = ["simulation", id];
  const query = useQuery({
    queryKey: key,
    queryFn: () => client.call("getSimulation", { params: { id } }),
  });
  const isInProgress = query.data !== undefined && query.data.endedAt === null;
  useEffect(() => {
    if (!isInProgress) return;
    const source = new EventSource(pathOf("watchSimulation", { params: { id } }));
    source.addEventListener("simulation", (event) => {
      const now: SimulationView = JSON.parse(event.data);
      if (now.endedAt === null) {
        queries.setQueryData<SimulationResultView>(["simulation", id], (old) => old && { ...old, ...now });
        return;
      }
      // The server ends the stream; without this the browser would open it again.
      source.close();
      void queries.invalidateQueries({ queryKey: ["simulation", id] });
      void queries.invalidateQueries({ queryKey: ["simulations"] });
    });
    return () => source.close();
  }, [id, isInProgress]);
  return query;
}
