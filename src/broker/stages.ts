/**
 * The command of a job with a prologue, an epilogue, or a signal before its limit: one text for every kind
 * of site, for a POSIX shell, so that nothing has to be installed on a node.
 *
 * The shell is the first process of the job's group and outlives signals to it, so that the epilogue runs
 * however the program ended: at the time limit within the grace period. A job that is ended during its
 * prologue does not begin. The shell ends as the program did, by its code or its signal; if the program
 * succeeded, by the code of a failed epilogue. Which part failed is noted beside the job's directory.
 */
import { type JobDescription, type KeptOutput, sandboxName } from "../model/index.ts";
import { keepFunction } from "./output-data/keep-script.ts";
import { quoted } from "./quoted.ts";

const SCRIPT = `
note() { printf '%s\\n' "$1" > "\${STINT_DIRECTORY:-.}/../tmp/stint-stage"; } 2>/dev/null
leave() { [ "$1" -gt 128 ] && trap - "$(($1 - 128))" && kill "-$(($1 - 128))" $$; exit "$1"; } 2>/dev/null
ended=
trap ended=1 TERM
trap : HUP INT QUIT USR1 USR2 ALRM
exec 3<&0
if [ -n "$has_before" ]; then
  note prologue
  before
  code=$?
  [ "$code" -eq 0 ] || leave "$code"
  [ -z "$ended" ] || leave 143
fi
note program
case $1 in ./*) first=\${STINT_DIRECTORY:-.}/$1; chmod u+x -- "$first"; shift; set -- "$first" "$@" ;; esac
"$@" <&3 3<&- &
pid=$!
if [ -n "$signal" ]; then
  (
    trap '' HUP INT QUIT USR1 USR2 ALRM
    while [ "$lead" -gt 0 ]; do
      tick=5
      [ "$lead" -lt 5 ] && tick=$lead
      sleep "$tick"
      lead=$((lead - tick))
    done
    kill "-$signal" "$pid"
  ) <&3 >/dev/null 2>&1 3<&- &
  timer=$!
fi
while wait "$pid"; code=$?; kill -0 "$pid" 2>/dev/null; do :; done
[ -z "$signal" ] || kill -KILL "$timer" 2>/dev/null
if [ -n "$has_after" ]; then
  [ "$code" -ne 0 ] || note epilogue
  STINT_EXIT_CODE=$code
  export STINT_EXIT_CODE
  after
  last=$?
  [ "$code" -ne 0 ] || code=$last
fi
if [ -n "$has_output" ] && [ "$code" -eq 0 ]; then
  note output
  keep
  code=$?
fi
[ "$code" -ne 0 ] || note done
leave "$code"
`;

/** Words of the command; the program's own where nothing goes with it. */
export function stagedCommand(
  description: JobDescription,
  command: readonly string[],
  limitMs: number,
  outputs: readonly KeptOutput[] = [],
): readonly string[] {
  const { prologue, prologueArguments = [], epilogue, epilogueArguments = [], signalBefore } = description;
  const isPlain = [prologue, epilogue, signalBefore].every((one) => one === undefined);
  if (isPlain && outputs.length === 0) return command;
  const [program = "", ...words] = command;
  const [signal = "", seconds = "0"] = signalBefore?.split("@") ?? [];
  const lead = Math.max(0, Math.floor(limitMs / 1000) - Number(seconds));
  const settings = [
    `has_before=${prologue === undefined ? "" : 1}`,
    `has_after=${epilogue === undefined ? "" : 1}`,
    `signal=${signal}`,
    `lead=${Number.isFinite(lead) ? lead : 0}`,
    stage("before", description, prologue, prologueArguments),
    stage("after", description, epilogue, epilogueArguments),
    `has_output=${outputs.length === 0 ? "" : 1}`,
    keepFunction(outputs),
  ];
  const shell = ["/bin/sh", "-c", `${settings.join("\n")}${SCRIPT}`, "stint"];
  return [...shell, broughtProgram(description, program), ...words];
}

/** A program of the input sandbox by its path in the job's directory, from which a shell finds it. */
export function broughtProgram({ inputSandbox }: JobDescription, program: string): string {
  const isBrought = inputSandbox.some((path) => sandboxName(path) === program.replace(/^\.\//, ""));
  return isBrought && !program.includes("/") ? `./${program}` : program;
}

/** A shell function that runs a program in the job's directory; every text is one word, nothing expanded. */
function stage(
  name: string,
  description: JobDescription,
  program: string | undefined,
  words: readonly string[],
): string {
  if (program === undefined) return `${name}() { :; }`;
  const found = broughtProgram(description, program);
  const setMode = found.startsWith("./") ? `chmod u+x -- ${quoted(found)}; ` : "";
  const call = [found, ...words].map(quoted).join(" ");
  return `${name}() ( cd "\${STINT_DIRECTORY:-.}" && ${setMode}${call} <&3 )`;
}
