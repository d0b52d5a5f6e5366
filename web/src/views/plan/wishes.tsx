import { Group, NumberInput, Select } from "@mantine/core";
import type { PlanTextRequest } from "../../app/client.ts";

/** Options of planning, as text from the form. */
export interface WishTexts {
  readonly planner: NonNullable<PlanTextRequest["planner"]>;
  readonly deadlineMin: number | string;
  readonly budgetSu: number | string;
  readonly runtimeMin: number | string;
}

/** No limits, and the default planner. */
export const NO_WISHES: WishTexts = { planner: "search", deadlineMin: "", budgetSu: "", runtimeMin: "" };

const PLANNERS = [
  { value: "search", label: "search: tries many task orders and sites" },
  { value: "heft", label: "heft: one plan, tasks by rank" },
  { value: "greedy", label: "greedy: the best offer for each task" },
  { value: "moga", label: "moga: genetic algorithm" },
  { value: "nsga2", label: "nsga2: genetic algorithm" },
  { value: "single", label: "single: one reservation" },
  { value: "best-effort", label: "best-effort: reserves nothing" },
];

/** Fields of the request for these options. */
export function wishesOf(wishes: WishTexts): Omit<PlanTextRequest, "text"> {
  const { planner, deadlineMin, budgetSu, runtimeMin } = wishes;
  return {
    planner,
    ...(typeof deadlineMin === "number" ? { deadlineSec: 60 * deadlineMin } : {}),
    ...(typeof budgetSu === "number" ? { budgetSu } : {}),
    ...(typeof runtimeMin === "number" ? { runtimeSec: 60 * runtimeMin } : {}),
  };
}

interface Written {
  readonly value: WishTexts;
  readonly onChange: (value: WishTexts) => void;
}

/** Form for planner, deadline, budget, and the runtime of tasks without a stated runtime. */
export function Wishes({ value, onChange }: Written) {
  const number = (name: "deadlineMin" | "budgetSu" | "runtimeMin", label: string, max: number) => (
    <NumberInput
      label={label}
      placeholder="none"
      w={170}
      min={0}
      max={max}
      value={value[name]}
      onChange={(next) => onChange({ ...value, [name]: next })}
    />
  );
  return (
    <Group align="end" gap="sm">
      <Select
        label="Planner"
        w={{ base: "100%", sm: 400 }}
        data={PLANNERS}
        allowDeselect={false}
        value={value.planner}
        onChange={(next) => onChange({ ...value, planner: next as WishTexts["planner"] })}
      />
      {number("deadlineMin", "Deadline, minutes", 500_000)}
      {number("budgetSu", "Budget, SU", 1e9)}
      {number("runtimeMin", "Default runtime, min", 500_000)}
    </Group>
  );
}
