export {
  DISCIPLINES,
  type Discipline,
  ESTIMATE_RULES,
  type EstimateRule,
  isPlanning,
  OVERRUN_RULES,
  type OverrunRule,
} from "./discipline.ts";
