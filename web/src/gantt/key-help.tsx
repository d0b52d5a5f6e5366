import { memo } from "react";
import classes from "./gantt.module.css";

type Help = readonly (readonly [keys: string, what: string])[];

const KEYS: Help = [
  ["← → ↑ ↓", "move the chart"],
  ["+ −", "zoom the time axis"],
  ["[ ]", "zoom the rows"],
  ["Home", "show the whole chart"],
  ["Page Down, Page Up", "select the next or previous job"],
  ["Enter", "open the selected job, or price the selected free slot"],
];
const RECTANGLE: Help = [
  ["R", "draw a rectangle to be priced: at the selected free slot, or from now on"],
  ["← →", "move it in time; with Shift, change its length"],
  ["↑ ↓", "one processor fewer or more; with Shift, ten"],
  ["Enter", "request its price; Enter again, on the button, reserves it"],
  ["Escape", "cancel the rectangle"],
];

/** Keyboard shortcuts of a chart, collapsed by default. */
export const KeyHelp = memo(function KeysOfChart({ hasRectangles }: { readonly hasRectangles: boolean }) {
  return (
    <details className={classes.keys}>
      <summary>Keyboard shortcuts</summary>
      <KeyList label="Shortcuts of the chart" keys={KEYS} />
      {hasRectangles && <KeyList label="Shortcuts of a rectangle" keys={RECTANGLE} />}
    </details>
  );
});

function KeyList({ label, keys }: { readonly label: string; readonly keys: Help }) {
  return (
    <dl aria-label={label}>
      {keys.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
