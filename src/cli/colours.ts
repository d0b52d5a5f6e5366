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
