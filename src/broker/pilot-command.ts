/**
 * The command of a virtual reservation's job: it waits until its start, then becomes the program.
 *
 * One text for every kind of site, for /bin/sh, that goes by the clock of the machine where it runs. Begun
 * after its start it runs nothing: the program is wanted then, or in the priced reservation that stands in
 * for it, and never twice (rule BR-30). Suspended meanwhile, it looks at the clock again.
 */
import { basename } from "node:path";
import type { JobDescription, VirtualReservationSlot } from "../model/index.ts";

/** As EX_TEMPFAIL of sysexits: what was to be done cannot be done now. */
const LATE = 75;
const MS_PER_S = 1000;

const SCRIPT = `start=$1
shift
if [ "$(date +%s)" -gt "$start" ]; then
  echo "stint: not begun, as its start has gone by" >&2
  exit ${LATE}
fi
while left=$((start - $(date +%s))) && [ "$left" -gt 0 ]; do
  sleep "$left"
done
case $1 in ./*) chmod u+x -- "$1" ;; esac
exec "$@"
`;

/** The words of the command; a program of the input sandbox stands in the job's directory. */
export function pilotCommand(
  { executable, arguments: words, inputSandbox }: JobDescription,
  { startMs }: VirtualReservationSlot,
): readonly string[] {
  const isBrought = inputSandbox.some((path) => basename(path) === executable.replace(/^\.\//, ""));
  const program = isBrought && !executable.includes("/") ? `./${executable}` : executable;
  const startSec = Math.floor(startMs / MS_PER_S);
  return ["/bin/sh", "-c", SCRIPT, "stint", String(startSec), program, ...words];
}
