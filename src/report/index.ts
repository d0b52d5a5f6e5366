export {
  type Axis,
  logTimeAxis,
  numberAxis,
  outlierAmong,
  shareAxis,
  timeAxis,
  timeAxisUntil,
} from "./axis.ts";
export {
  type Bar,
  barChart,
  type ChartName,
  type Layer,
  type Panel,
  type Point,
  panelChart,
  type Span,
  steps,
} from "./chart.ts";
export { type ChartLine, lineChart } from "./line-chart.ts";
export { figure, htmlPage, paragraph, section } from "./page.ts";
export { MOST_SERIES } from "./style.ts";
export { type Cell, escaped, htmlTable, numberCell, tableBehind } from "./table.ts";
