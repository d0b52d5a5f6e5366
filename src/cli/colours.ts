/**
 * Colours on terminals only. The library would also colour where CI is set; output that programs read must
 * not depend on that.
 */
import pc from "picocolors";

const isWanted = !process.env.NO_COLOR;

/** Colours for stdout. */
export const outColours = pc.createColors(isWanted && process.stdout.isTTY === true);

/** Colours for stderr. */
export const errorColours = pc.createColors(isWanted && process.stderr.isTTY === true);

/** Words of states that went well, that need somebody, and that went wrong; others are not coloured. */
const HUES: Readonly<Record<"green" | "yellow" | "red" | "dim", readonly string[]>> = {
  green: ["RUNNING", "DONE (ok)", "ACTIVE", "open", "valid", "trusted", "kept"],
  yellow: ["HELD", "SUSPENDED", "OFFERED", "draining", "read-only", "open, cannot enforce", "expired"],
  red: ["ABORTED", "DONE (", "VIOLATED", "trouble", "revoked", "violated"],
  dim: ["CANCELLED", "DONE (imitated)", "LAPSED", "WITHDRAWN", "RELINQUISHED"],
};

/** Colours a state, which is told by its word all the same. */
export function stateColour(
  text: string,
  colours: Pick<typeof outColours, keyof typeof HUES> = outColours,
): string {
  const state = text.trim();
  const exact = hues.find((hue) => HUES[hue].includes(state));
  const hue = exact ?? hues.find((one) => HUES[one].some((word) => state.startsWith(word)));
  return hue === undefined ? text : colours[hue](text);
}

const hues = ["green", "yellow", "red", "dim"] as const;
