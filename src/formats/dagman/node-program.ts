/**
 * The program of a node with PRE and POST scripts: a shell runs them before and after it, in its directory.
 *
 * DAGMan runs scripts where it is itself; here they are part of the node's job, at its site. A script that
 * can be read is sent along. As in DAGMan the node fails with a PRE script, without its job; where there is a
 * POST script, its exit code is that of the node.
 */
import { basename, isAbsolute, join } from "node:path";
import { type JobDescription, sandboxName } from "../../model/index.ts";
import type { JobSurroundings } from "../job-reading/index.ts";
import type { NodeDraft, NodeScript } from "./pieces.ts";

/** Text for /bin/sh; every word of the user is an argument of it. */
const SCRIPT = `go() {
  case $1 in
    */*) ;;
    *)
      if [ -f "./$1" ]; then
        chmod u+x -- "./$1"
        program=./$1
        shift
        set -- "$program" "$@"
      fi
      ;;
  esac
  "$@"
}
some() {
  wanted=$1 left=$(($# - 1)) taken=0
  shift
  while [ "$left" -gt 0 ]; do
    word=$1
    shift
    if [ "$taken" -lt "$wanted" ]; then
      case $word in
        '$RETURN') word=$result ;;
        '$RETRY') word=$((\${STINT_DAG_TRY:-1} - 1)) ;;
      esac
      set -- "$@" "$word"
    fi
    taken=$((taken + 1)) left=$((left - 1))
  done
  go "$@"
}
script() {
  again=$1 pause=$2
  shift 2
  while :; do
    some "$@" </dev/null
    code=$?
    [ "$code" = "$again" ] || return "$code"
    sleep "$pause"
  done
}
result=0
skip=$1 pre=$2 preAgain=$3 prePause=$4 post=$5 postAgain=$6 postPause=$7
shift 7
if [ "$pre" -gt 0 ]; then
  script "$preAgain" "$prePause" "$pre" "$@"
  result=$?
  [ "$result" = "$skip" ] && exit 0
  [ "$result" -eq 0 ] || exit "$result"
fi
shift "$pre"
after=$post
while [ "$after" -gt 0 ]; do
  set -- "$@" "$1"
  shift
  after=$((after - 1))
done
some $(($# - post)) "$@"
result=$?
[ "$post" -gt 0 ] || exit "$result"
shift $(($# - post))
script "$postAgain" "$postPause" "$post" "$@"
`;

/** The description of a node with its scripts. */
export function withScripts(
  description: JobDescription,
  { pre, post, preSkip, folder, name }: NodeDraft,
  surroundings: JobSurroundings,
): JobDescription {
  if (pre === undefined && post === undefined) return description;
  const before = sentAlong(pre, folder, surroundings);
  const after = sentAlong(post, folder, surroundings);
  const words = (of: readonly string[]) => of.map((word) => (word === "$JOB" ? name : word));
  const files = [...description.inputSandbox];
  for (const { file } of [before, after]) if (file !== undefined && !files.includes(file)) files.push(file);
  return {
    ...description,
    executable: "/bin/sh",
    arguments: [
      ...["-c", SCRIPT, "stint", String(preSkip ?? "-")],
      ...[String(before.words.length), ...deferWords(pre)],
      ...[String(after.words.length), ...deferWords(post)],
      ...words(before.words),
      ...words(after.words),
      ...[ownProgram(description), ...description.arguments],
    ],
    inputSandbox: files,
  };
}

function deferWords(script: NodeScript | undefined): readonly string[] {
  const { exitCode = "-", sec = 0 } = script?.defer ?? {};
  return [String(exitCode), String(sec)];
}

/** A program of the input sandbox is in the job's directory. */
function ownProgram({ executable, inputSandbox }: JobDescription): string {
  const isBrought = inputSandbox.some((path) => sandboxName(path) === executable.replace(/^\.\//, ""));
  return isBrought ? executable.replace(/^\.\//, "") : executable;
}

function sentAlong(script: NodeScript | undefined, folder: string, { fileState }: JobSurroundings) {
  if (script === undefined) return { words: [], file: undefined };
  const [program = "", ...words] = script.words;
  const path = isAbsolute(program) ? program : join(folder, program);
  if (fileState(path) !== "readable") return { words: script.words, file: undefined };
  return { words: [basename(program), ...words], file: path };
}
