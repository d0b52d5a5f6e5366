/**
 * The part of ECharts that charts are made with. `npm run build` bundles it into one file of dist/, so that
 * the installed package carries this part and not all of the library.
 */
import { BarChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, MarkAreaComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([BarChart, LineChart, ScatterChart, GridComponent, MarkAreaComponent, SVGRenderer]);

export { init };
