/**
 * The command of a sub-job of a partitionable job (rule BR-280): a shell that runs the program once for each
 * of its steps, in order, and saves a state after each.
 *
 * The state has `steps`, a line for each completed step, and what the program put into `$STINT_STATE`. Both
 * are saved together, so that an attempt begins with the step after the last saved one, and with the files as
 * that step left them.
 */
import type { JobDescription, JobRecord } from "../../model/index.ts";
import { broughtProgram } from "../stages.ts";
import { GIVEN_FOLDER, STATE_DIRECTORY, STEPS_FILE } from "./layout.ts";

const SCRIPT = `from=$1 count=$2 lists=$3 names=
shift 3
while [ "$lists" -gt 0 ]; do
  names=$names$1 lists=$((lists - 1))
  shift
done
place=\${STINT_DIRECTORY:-.}
STINT_STATE=$place/${STATE_DIRECTORY} list=$place/${STEPS_FILE}
rm -rf -- "$STINT_STATE" "$list"
mkdir -m 0700 -- "$STINT_STATE" && : > "$list" || exit 125
if [ -n "$STINT_CHECKPOINT" ]; then
  cp -- "$STINT_CHECKPOINT/${STEPS_FILE}" "$list" || exit 125
  [ ! -d "$STINT_CHECKPOINT/${STATE_DIRECTORY}" ] ||
    cp -R -- "$STINT_CHECKPOINT/${STATE_DIRECTORY}/." "$STINT_STATE" || exit 125
fi
case $1 in
  ./*) chmod u+x -- "$place/$1"; program=$place/$1; shift; set -- "$program" "$@" ;;
esac
STINT_STEP_COUNT=$count STINT_FIRST_STEP=$from
export STINT_STATE STINT_STEP_COUNT STINT_FIRST_STEP
# Each step opens it anew, and reads it from its beginning.
input=/dev/null
[ ! -f /dev/stdin ] || input=/dev/stdin
trap : USR1 USR2
at=$(($(wc -l < "$list")))
# What this attempt was given is its own state from now on: it may complete no further step.
case $STINT_CHECKPOINT in
  */${GIVEN_FOLDER}/files) stint-ckpt save "step-$((from + at - 1))" "$list" "$STINT_STATE" || exit 125 ;;
esac
while [ "$at" -lt "$count" ]; do
  STINT_CURRENT_STEP=$((from + at)) STINT_STEP=$((from + at))
  [ -z "$names" ] || STINT_STEP=$(printf '%s\\n' "$names" | sed -n "$((at + 1))p")
  export STINT_CURRENT_STEP STINT_STEP
  "$@" < "$input"
  code=$?
  [ "$code" -eq 0 ] || exit "$code"
  printf '%s\\t%s\\t%s\\n' "$STINT_CURRENT_STEP" "$code" "$STINT_STEP" >> "$list"
  stint-ckpt save "step-$STINT_CURRENT_STEP" "$list" "$STINT_STATE" || exit 125
  at=$((at + 1))
done
`;

/** Words of the command; the program's own for a job without steps. */
export function steppedCommand(
  { part, description }: { readonly part?: JobRecord["part"]; readonly description: JobDescription },
  command: readonly string[],
): readonly string[] {
  const steps = part?.steps;
  if (steps === undefined) return command;
  const [program = "", ...words] = command;
  const lists = listsOf(steps.names ?? []);
  const range = [steps.from, steps.count, lists.length].map(String).concat(lists);
  return ["/bin/sh", "-c", SCRIPT, "stint-steps", ...range, broughtProgram(description, program), ...words];
}

/** Most characters of a list of names, each of at most 3 bytes: a word of a command has less than 128 KiB. */
const MOST_LISTED = 30_000;

/** Names of steps, a line each, as words of a command that make the list when they are joined. */
function listsOf(names: readonly string[]): readonly string[] {
  const lists: string[] = [];
  let list = "";
  for (const name of names) {
    if (list.length + name.length > MOST_LISTED) {
      lists.push(list);
      list = "";
    }
    list += `${name}\n`;
  }
  return list === "" ? lists : [...lists, list];
}
