/** A sign and a colour for each state of a job, a node, a task or a stream. */
const SIGNS: Readonly<Record<string, readonly [sign: string, colour: string]>> = {
  WAITING: ["○", "waiting"],
  READY: ["◔", "waiting"],
  SELECTED: ["◔", "waiting"],
  SCHEDULED: ["◑", "waiting"],
  ORDERED: ["◑", "waiting"],
  RUNNING: ["▶", "running"],
  TRIAL: ["▷", "running"],
  DRAINING: ["▷", "running"],
  SUSPENDED: ["❚❚", "held"],
  HELD: ["❚❚", "held"],
  HALTED: ["❚❚", "held"],
  STALLED: ["!", "failed"],
  DONE: ["✓", "done"],
  FAILED: ["✕", "failed"],
  ABORTED: ["✕", "failed"],
  FUTILE: ["⊘", "quiet"],
  ENDED: ["✓", "quiet"],
  CANCELLED: ["⊘", "quiet"],
  CLEARED: ["✓", "quiet"],
  PURGED: ["·", "quiet"],
};

/** Place of a state in the order in which states are listed. */
export function placeOf(state: string): number {
  return Object.keys(SIGNS).indexOf(state);
}

/** Colour of a state, as a variable of page.css. */
export function stateColour(state: string): string {
  return `var(--stint-${(SIGNS[state] ?? ["", "quiet"])[1]})`;
}

/** A state by its sign, its colour and its word; a longer text may take the word's place. */
export function StateWord({
  state,
  text = state,
  size = "sm",
}: {
  readonly state: string;
  readonly text?: string;
  readonly size?: "xs" | "sm";
}) {
  const [sign] = SIGNS[state] ?? ["·"];
  const style = { color: stateColour(state), fontSize: `var(--mantine-font-size-${size})` };
  return (
    <span className="state-word" style={style}>
      <span aria-hidden="true">{sign} </span>
      {text}
    </span>
  );
}
