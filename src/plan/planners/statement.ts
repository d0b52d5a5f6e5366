/** A plan by the names of its tasks and sites, in seconds: what people and other programs are shown. */
import { besideProcs } from "../../model/index.ts";
import { type Instance, stageInMs } from "../platform/index.ts";
import type { Plan } from "./plan.ts";
import { costSu } from "./rectangle.ts";

/** A task of a plan. */
interface PlannedTask {
  readonly id: string;
  readonly site: string;
  readonly procs: number;
  readonly startSec: number;
  readonly endSec: number;
  /** Time from the start of the task for the transfer of its input files; absent: none. */
  readonly stageInSec?: number;
  /** Place of its reservation in the list, from 0; absent where it lies in none alone. */
  readonly reservation?: number;
}

/** A reservation of a plan. */
interface PlannedReservation {
  readonly site: string;
  /** Place of the slot in the list of its site, from 0; absent where the site sells no slots. */
  readonly slot?: number;
  readonly procs: number;
  /** Absent: none. */
  readonly memoryBytes?: number;
  readonly gpus?: number;
  readonly startSec: number;
  readonly endSec: number;
  readonly costSu: number;
}

/** Tasks and reservations of a plan, by name; tasks without a place are left out. */
export interface StatedPlan {
  readonly makespanSec: number;
  readonly allocationCostSu: number;
  readonly planningCostSu: number;
  readonly packedCostSu: number;
  readonly tasks: readonly PlannedTask[];
  readonly reservations: readonly PlannedReservation[];
}

/** The plan as it is stated. */
export function statedPlan({ workflow, platform }: Instance, plan: Plan): StatedPlan {
  const { site, startMs, endMs } = plan.placement;
  const reservationOf = new Map(
    plan.reservations.flatMap(({ tasks = [] }, at) => tasks.map((task) => [task, at])),
  );
  return {
    makespanSec: plan.makespanMs / 1000,
    allocationCostSu: plan.packedCostSu,
    planningCostSu: plan.planningCostSu,
    packedCostSu: plan.packedCostSu,
    tasks: workflow.tasks.flatMap((own, task): readonly PlannedTask[] => {
      if (site[task] < 0) return [];
      const { name } = platform.sites[site[task]];
      const stagingMs = stageInMs(own, name, platform);
      return [
        {
          ...{ id: own.id, site: name, procs: own.procs },
          ...{ startSec: startMs[task] / 1000, endSec: endMs[task] / 1000 },
          ...(stagingMs === 0 ? {} : { stageInSec: stagingMs / 1000 }),
          ...inReservation(reservationOf.get(task)),
        },
      ];
    }),
    reservations: plan.reservations.map((of) => ({
      site: platform.sites[of.site].name,
      ...(of.slot === undefined ? {} : { slot: of.slot }),
      procs: of.procs,
      ...besideProcs(of),
      ...{ startSec: of.startMs / 1000, endSec: of.endMs / 1000 },
      costSu: costSu(of),
    })),
  };
}

function inReservation(reservation: number | undefined): Pick<PlannedTask, "reservation"> {
  return reservation === undefined ? {} : { reservation };
}
