/**
 * Colours for a terminal, and for nothing else (rule CL-5).
 *
 * The library also colours where CI is set; output that is read by programs must not depend on that.
 */
import pc from "picocolors";

const isWanted = !process.env.NO_COLOR;

/** For what goes to stdout. */
export const outColours = pc.createColors(isWanted && process.stdout.isTTY === true);

/** For what goes to stderr. */
export const errorColours = pc.createColors(isWanted && process.stderr.isTTY === true);
