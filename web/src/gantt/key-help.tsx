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
  ["R", "draw a rectangle to be priced, at the selected free slot if there is one"],
  ["← →", "move the rectangle in time; with Shift, change its length"],
  ["↑ ↓", "change its processors by one; with Shift, by ten"],
  ["Enter", "request its price; a second Enter reserves it"],
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
