/**
 * The script that Slurm runs for one of our jobs, in bash.
 *
 * Nodes have bash and the usual tools, and not Stint. The script claims the attempt (so that a double
 * submission runs once), enforces the time limit to the millisecond where Slurm counts minutes, passes
 * signals on, and leaves a report of one line in the attempt's directory. While Slurm suspends the job, the
 * script and its clock, which counts its own ticks, stand still too.
 *
 * In a pilot (`STINT_PILOT` is its process) nobody else ends the program: the script does so when it is told
 * to stop, or its pilot is gone; if the script itself was killed, its clock does so. A program that is
 * suspended when its pilot ends is killed while it is stopped. Processes that left the program's session are
 * found by their environment, and ended with it. With an account, the script switches to that account for the
 * program, which then gets a clean environment.
 */
import type { SubmitOrder } from "../../runtime/index.ts";
import { SWITCHING } from "./switch-script.ts";

/** Paths of an attempt, and the grace period after TERM. */
export interface WrapperPlace {
  /** Directory of the attempt; the job's own is `work` in it. */
  readonly directory: string;
  readonly graceMs: number;
  /** Helper that `sudo` starts under the local account; absent: `setpriv` switches to it. */
  readonly helper?: string | undefined;
  /** True if another owner may get the local account later: the directory is closed to it at the end. */
  readonly isPooled?: boolean;
  /** Directory with input files that the elements of an array share, and those that this one copies. */
  readonly shared?: { readonly directory: string; readonly names: readonly string[] } | undefined;
}

/** The whole script. Every text of the order is one quoted word that the shell does not expand. */
export function wrapperScript(order: SubmitOrder, place: WrapperPlace): string {
  return scriptFor("$SLURM_JOB_ID", order, place);
}

/** Script of a job that a pilot runs, with the id that we gave it. */
export function payloadScript(order: SubmitOrder, place: WrapperPlace, siteJob: string): string {
  return scriptFor(word(siteJob), order, place);
}

/**
 * Script of a job under a batch system that only passes TERM and USR1 on to it: it ends and suspends its
 * program itself.
 */
export function scriptUnderSignals(order: SubmitOrder, place: WrapperPlace, siteJob: string): string {
  const script = scriptFor(word(siteJob), order, place);
  // A function, because `$` is special in a replacement string.
  return script.replace("\n", () => "\nexport STINT_PILOT=$$\n");
}

function scriptFor(job: string, order: SubmitOrder, place: WrapperPlace): string {
  return `#!/bin/bash\njob=${job}\n${settingsOf(order, place).join("\n")}\n${BODY}`;
}

/** A task of an array, by its number in Slurm. */
export interface WrappedTask extends WrapperPlace {
  readonly task: number;
  readonly order: SubmitOrder;
}

/** One script for all tasks of an array: what differs between them is chosen by the number of the task. */
export function arrayScript(tasks: readonly WrappedTask[]): string {
  const each = tasks.map((one) => ({ ...one, lines: settingsOf(one.order, one) }));
  const isCommon = (line: string): boolean => each.every(({ lines }) => lines.includes(line));
  const common = (each[0]?.lines ?? []).filter(isCommon);
  const shared = new Set(common);
  const cases = each.map(
    ({ task, lines }) => `${task})\n${lines.filter((line) => !shared.has(line)).join("\n")}\n;;\n`,
  );
  const job = 'job="${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"';
  const chosen = `case "$SLURM_ARRAY_TASK_ID" in\n${cases.join("")}*) exit 126;;\nesac`;
  const made = 'mkdir -p -m 0700 -- "$directory" "$directory/work"';
  return `#!/bin/bash\n${[job, ...common, chosen, made].join("\n")}\n${BODY}`;
}

/** Settings of the script, a line each. */
function settingsOf(order: SubmitOrder, place: WrapperPlace): readonly string[] {
  const { directory, graceMs, shared, helper } = place;
  const variables = Object.entries(order.environment).map(([name, value]) => `${name}=${value}`);
  return [
    `directory=${word(directory)}`,
    `token=${word(order.token)}`,
    `account=${word(order.account ?? "")}`,
    `pooled=${word(place.isPooled === true ? "1" : "")}`,
    `helper=${word(order.account === undefined ? "" : (helper ?? ""))}`,
    `limit_ms=${Math.ceil(order.limitMs)}`,
    `grace_ms=${Math.ceil(graceMs)}`,
    `stdout=${word(order.stdOutput)}`,
    `stderr=${word(order.stdError)}`,
    `stdin=${word(order.stdInput ?? "/dev/null")}`,
    `workdir=${word(order.workingDirectory ?? `${directory}/work`)}`,
    `inputs=(${order.inputFiles.map(({ name }) => word(name)).join(" ")})`,
    `shared=${word(shared?.directory ?? "")}`,
    `shared_inputs=(${(shared?.names ?? []).map(word).join(" ")})`,
    `variables=(${variables.map(word).join(" ")})`,
    `command=(${order.command.map(word).join(" ")})`,
  ];
}

/** The text in single quotes, in which a shell changes nothing. */
function word(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const BODY = `
umask 077
# Until its program runs, signals for it are only recorded, in the file of signals.
trap : USR1
unset LC_ALL SLURM_TIME_FORMAT SLURM_BITSTR_LEN SLURM_EXPORT_ENV
now() { date +%s%3N; }
# That of an ended child is its parent's.
io() {
  local bytes=
  { read -r bytes < <(sed -n "s/^$1_bytes: \\([0-9]*\\)$/\\1/p" /proc/$$/io); } 2>/dev/null
  echo "\${bytes:-null}"
}
stage() { [ -f "$directory/tmp/stint-stage" ] && head -c 20 "$directory/tmp/stint-stage" | tr -dc a-z; }
report() {
  local draft="$directory/report.$job.$$"
  {
    printf '{"token":"%s","siteJob":"%s","cause":"%s",' "$token" "$job" "$1"
    printf '"exitCode":%s,"signal":%s,"startedAtMs":%s,' "$2" "$3" "$started"
    printf '"endedAtMs":%s,"cpu":"%s",' "\${ended:-$(now)}" "$cpu"
    printf '"stage":"%s","readBytes":%s,"writtenBytes":%s}\\n' "$(stage)" "$(io read)" "$(io write)"
  } > "$draft" && mv "$draft" "$directory/report.$job"
}
started=null ended= cpu=
${SWITCHING}if ! mkdir "$directory/claim" 2>/dev/null; then
  if ! rmdir "$directory/again.$job" 2>/dev/null; then
    # A controller that forgot the run starts it again under its id, and somebody else may have requeued
    # it: what the run reported counts, where it could.
    why=begunBefore
    [ "\${SLURM_RESTART_COUNT:-0}" -gt 0 ] && why=requeued
    [ -e "$directory/report.$job" ] || report "$why" null null
    exit 126
  fi
  rm -f "$directory/report.$job" "$directory/cpu.$job" "$directory/signals" "$directory/suspended"
fi
if ! cd "$directory/work"; then
  report noDirectory null null
  exit 126
fi
copy_inputs() {
  cd -P -- "$shared" || return
  printf '%s\\0' "\${shared_inputs[@]}" | xargs -0 cp -p --parents -t "$directory/work" --
}
# Once: a second run finds the files as the first left them.
if [ "\${#shared_inputs[@]}" -gt 0 ] && [ ! -e "$directory/copied" ]; then
  if ! ( copy_inputs ); then
    report noInputs null null
    exit 126
  fi
  : > "$directory/copied"
fi
mkdir -p "$directory/tmp"
program="\${command[0]}"
found=
for name in "\${inputs[@]}"; do
  if [ "$name" = "\${program#./}" ]; then
    chmod u+x -- "$name"
    found="$PWD/$name"
  fi
done
if [ -z "$found" ]; then
  case "$program" in
    */*) found=$program ;;
    *) found=$(type -P -- "$program") ;;
  esac
fi
if [ -z "$found" ]; then
  report notOnPath null null
  exit 127
elif [ ! -f "$found" ]; then
  report notThere null null
  exit 127
elif [ ! -x "$found" ]; then
  report notExecutable null null
  exit 126
fi
case "$found" in
  /*) ;;
  *) found="$PWD/$found" ;;
esac
if [ ! -d "$workdir" ] || [ ! -x "$workdir" ]; then
  report noWorkingDirectory null null
  exit 126
fi
export STINT_JOB="\${token%/*}" STINT_DIRECTORY="$PWD" TMPDIR="$directory/tmp"
cause= obeyed=0 stopped=
# Processes that have left the session of the program, by the directory in their environment: under a batch
# system its own cgroup or step ends them.
leftovers() {
  [ -n "\${STINT_PILOT:-}" ] || return 0
  [ -z "$helper" ] || by_helper leftovers
  local tries=0 found one
  while [ "$tries" -lt 5 ]; do
    tries=$((tries + 1)) found=
    for one in $(grep -lzxF -- "STINT_DIRECTORY=$STINT_DIRECTORY" /proc/[0-9]*/environ 2>/dev/null); do
      one=\${one#/proc/}
      kill -KILL "\${one%/environ}" 2>/dev/null && found=1
    done
    [ -n "$found" ] || return 0
  done
}
pause() { sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"; }
terminate() {
  if [ -n "$stopped" ] && [ "$cause" = pilotGone ]; then
    signal_program KILL
    return
  fi
  stopped=
  signal_program TERM
  signal_program CONT
  ( pause "$grace_ms"; signal_program KILL ) 2>/dev/null &
}
obey() {
  local line at=0
  while read -r line; do
    at=$((at + 1))
    if [ "$at" -gt "$obeyed" ]; then
      obeyed=$at
      case "$line" in SIGSTOP) stopped=1 ;; SIGCONT) stopped= ;; esac
      signal_program "$line"
    fi
  done < "$directory/signals"
}
exec 3> "$stdout"
if [ "$stderr" = "$stdout" ]; then exec 4>&3; else exec 4> "$stderr"; fi
exec 5< "$stdin"
cd "$workdir" || exit 126
if [ -n "$account" ]; then
  switch_account
  clean=(PATH=/usr/local/bin:/usr/bin:/bin HOME="$(getent passwd "$account" | cut -d: -f6)" USER="$account")
  clean+=(LOGNAME="$account" STINT_JOB="$STINT_JOB" STINT_DIRECTORY="$STINT_DIRECTORY" TMPDIR="$TMPDIR")
fi
[ -n "\${STINT_PILOT:-}" ] && sha256sum < "$found" 2>/dev/null > "$directory/program"
set -m
started=$(now)
# To env, a word with = in it is a variable.
case "$found" in
  *=*) begin=(/bin/sh -c 'exec "$0" "$@"' "$found") ;;
  *) begin=("$found") ;;
esac
begin=("\${clean[@]}" "\${variables[@]}" "\${begin[@]}" "\${command[@]:1}")
# Variables of the job are nothing that a program of root may see.
if [ -n "$helper" ]; then
  printf '%s\\0' "\${begin[@]}" > "$directory/words" && setfacl -m "u:$account:r" -- "$directory/words"
  mkfifo "$directory/begun" && setfacl -m "u:$account:w" -- "$directory/begun"
  await_group < /dev/null 3>&- 4>&- 5<&- 7>&- &
  reader=$!
  run_by_helper >&3 2>&4 <&5 3>&- 4>&- 5<&- 7>&- &
else
  [ -n "$account" ] && begin=("\${clean[@]}" "\${switch[@]}" env -i -- "\${begin[@]}")
  env \${account:+-i} -- "\${begin[@]}" >&3 2>&4 <&5 3>&- 4>&- 5<&- 7>&- &
fi
pid=$!
set +m
[ -n "\${STINT_PILOT:-}" ] && echo "$pid" > "$directory/group"
exec 3>&- 4>&- 5<&-
trap 'obey' USR1
# A batch system that ends a pilot continues every process and then sends TERM to one after the other: a shell
# whose program ends before it would go on with its next line.
[ -n "\${STINT_PILOT:-}" ] && trap '[ -n "$stopped" ] && signal_program STOP' CONT
[ -f "$directory/signals" ] && obey
end_here() {
  [ -n "$cause" ] && return
  cause=cancelled
  [ -z "\${STINT_PILOT:-}" ] && return
  [ -e "$directory/stop" ] || cause=pilotGone
  terminate
}
trap end_here TERM
trap '[ -z "$cause" ] && cause=timeLimit && terminate' ALRM
(
  trap - USR1 TERM ALRM CONT
  left=$limit_ms
  while [ "$left" -gt 0 ]; do
    tick=5000
    [ "$left" -le 60000 ] && tick=250
    [ "$left" -lt "$tick" ] && tick=$left
    if [ -n "\${STINT_PILOT:-}" ]; then
      [ "$tick" -gt 1000 ] && tick=1000
      if ! kill -0 $$ 2>/dev/null; then
        signal_program KILL
        leftovers
        kill_account
        close_directory
        exit
      fi
      kill -0 "$STINT_PILOT" 2>/dev/null || kill -TERM $$
    fi
    pause "$tick"
    [ -e "$directory/suspended" ] || left=$((left - tick))
  done
  kill -ALRM $$
) < /dev/null > /dev/null 2>&1 &
clock=$!
code=0
while kill -0 "$pid" 2>/dev/null; do
  wait "$pid"
  last=$?
  # Bash gives −1 for some waits that a signal interrupts.
  [ "$last" -ge 0 ] && code=$last
  kill -0 "$pid" 2>/dev/null && sleep 0.05
done
# Bash may lose the status of a program that ends while a trap begins: then it would wait for the next signal,
# and gives −1 afterwards. What the interrupted wait told stands in for it.
trap : ALRM
kill -KILL "$clock" 2>/dev/null
( sleep 0.2; kill -ALRM $$ ) < /dev/null > /dev/null 2>&1 &
waker=$! before=$code
# One that a signal interrupts tells of that signal.
for again in 1 2 3 4 5; do
  wait "$pid" 2>/dev/null
  last=$?
  [ "$last" -eq 127 ] && break
  [ "$last" -lt 0 ] && code=$before && break
  code=$last
  case "$last" in 138 | 142 | 143 | 146) ;; *) break ;; esac
done
kill -KILL "$waker" 2>/dev/null
ended=$(now)
# Slurm signals one process after the other: the wrapper may be told later that its job is cancelled.
[ "$code" -eq 143 ] && [ -z "$cause" ] && sleep 0.5
[ -z "$cause" ] && signal_program KILL
leftovers
kill_account
close_directory
times > "$directory/cpu.$job" && cpu=$(tail -n 1 "$directory/cpu.$job")
exit_code=$code signal=null
if [ "$code" -gt 128 ] && [ "$code" -lt 193 ]; then
  name=$((code - 128))
  [ "$name" -lt 32 ] && name=$(kill -l "$name")
  exit_code=null signal="\\"SIG$name\\""
fi
report "\${cause:-ended}" "$exit_code" "$signal"
exit "$code"
`;
