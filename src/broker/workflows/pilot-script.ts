/**
 * The script of a pilot, for /bin/sh.
 *
 * The script looks for orders in its directory (each a piece of shell text that the broker has put there
 * whole) and needs no connection to the broker. Once dismissed, it ends when its last task has ended.
 *
 * A workflow's pilot gets numbered orders (`orders.1`, `orders.2` …) to run tasks and reports into `reports`,
 * a line for each beginning (`b`) and end (`e`) of a task. It counts what is free of its processors, memory
 * (bytes) and GPUs; a task that ends gives back what it had, as a line in a pipe. Tasks that were ordered
 * ahead wait until they have all three. On several nodes each task is a job step. A task sees only its own
 * GPUs: those of the pilot in `CUDA_VISIBLE_DEVICES`, else numbers from 0.
 *
 * A site's pilot gets named orders (`order.NAME`, each obeyed once) to run the scripts of jobs, which report
 * in their own directories. Each job runs in its own session, so that it can end its program if the pilot is
 * killed. The file `allocation` has the resources that the pilot was given. After a TERM signal the pilot
 * finishes the jobs that it has, ends those that are suspended, and takes no more, which the file `draining`
 * shows. A pilot without jobs that gets no order for `$2` seconds ends, because the broker may no longer
 * exist.
 *
 * Files of tasks are `file.NUMBER` in the directory of the pilot that ran their writer, or to which the
 * broker sent them; pilots at one site read each other's. A task gets its inputs as links, after their
 * checksums were compared; what is missing or damaged is reported (`m`), and the task does not begin. The
 * directories of its outputs exist when it begins. Outputs are moved to their places and reported (`o`)
 * before the end of the task is.
 */
import type { JobDescription } from "../../model/index.ts";

const SCRIPT = `umask 077
next=1 open=1 step= tokens=$1 patience=\${2:-} all_memory=\${3:-0} all_gpus=\${4:-0}
free=$tokens free_memory=$all_memory free_gpus=$all_gpus devices=
mkfifo ended && exec 3<> ended && rm -f ended
if [ "$all_gpus" -gt 0 ]; then
  devices=$(echo "\${CUDA_VISIBLE_DEVICES:-}" | tr ',' ' ')
  [ -n "$devices" ] || devices=$(seq -s ' ' 0 $((all_gpus - 1)))
fi
take() {
  while [ "$1" -gt "$free" ] || [ "$2" -gt "$free_memory" ] || [ "$3" -gt "$free_gpus" ]; do
    read -r back back_memory back_gpus back_devices <&3
    free=$((free + back)) free_memory=$((free_memory + back_memory)) free_gpus=$((free_gpus + back_gpus))
    devices="$devices $back_devices"
  done
  free=$((free - $1)) free_memory=$((free_memory - $2)) free_gpus=$((free_gpus - $3)) own_devices=
  wanted=$3 kept=
  for device in $devices; do
    if [ "$wanted" -gt 0 ]; then
      own_devices="$own_devices $device" wanted=$((wanted - 1))
    else
      kept="$kept $device"
    fi
  done
  devices=$kept
}
needs() { memory=$1 gpus=$2; }
needs 0 0
if [ "\${SLURM_JOB_NUM_NODES:-1}" -gt 1 ]; then step=1; fi
home=$PWD
: >> reports
report() { echo "$*" >> "$home/reports"; }
now() { date +%s%3N; }
sum_of() { sum=$(sha256sum < "$1") && echo "\${sum%% *}"; }
reads() { mkdir -p tasks && printf '%s %s %s %s\\n' "$2" "$3" "$4" "$5" >> "tasks/$1.reads"; }
writes() { mkdir -p tasks && printf '%s %s\\n' "$2" "$3" >> "tasks/$1.writes"; }
bring_one() {
  [ -f "$1" ] && [ ! -L "$1" ] || return 1
  [ "$2" = - ] || [ "$(sum_of "$1")" = "$2" ] || return 1
  case $3 in */*) mkdir -p -- "$own/\${3%/*}" || return 1 ;; esac
  chmod 555 "$1"
  ln -- "$1" "$own/$3" 2> /dev/null || cp -- "$1" "$own/$3"
}
bring() {
  [ -e "$own.reads" ] || return 0
  while read -r file place sum name; do
    bring_one "$home/$place" "$sum" "$name" && continue
    rm -f -- "$home/file.$file"
    report m "$number" "$attempt" "$(now)" "$file"
    return 1
  done < "$own.reads"
}
make_folders() {
  [ -e "$own.writes" ] || return 0
  while read -r file name; do
    case $name in */*) mkdir -p -- "$own/\${name%/*}" || return 1 ;; esac
  done < "$own.writes"
}
leave() {
  [ -e "$own.writes" ] || return 0
  while read -r file name; do
    [ -f "$own/$name" ] && continue
    echo "stint: the task did not write $name" >> "$own/stderr"
    return 66
  done < "$own.writes"
  while read -r file name; do
    if [ -L "$own/$name" ]; then
      cp -- "$own/$name" "$home/file.$file"
    else
      mv -f -- "$own/$name" "$home/file.$file"
    fi && sum=$(sum_of "$home/file.$file") || return 74
    report o "$number" "$attempt" "$file" "$(($(wc -c < "$home/file.$file")))" "$sum"
  done < "$own.writes"
}
clean() {
  [ -e "$own.reads" ] || return 0
  while read -r file place sum name; do rm -f -- "$own/$name"; done < "$own.reads"
}
task() {
  number=$1 attempt=$2 procs=$3 place=$4
  shift 4
  take "$procs" "$memory" "$gpus"
  (
    own=$home/tasks/$number.$attempt
    mkdir -p "$own"
    if bring; then
      report b "$number" "$attempt" "$(now)"
      code=126
      if make_folders 2> "$own/stderr" && cd "\${place:-$own}" 2>> "$own/stderr"; then
        if [ -n "$step" ]; then
          [ "$all_memory" -gt 0 ] && set -- --mem="$(((memory + 1048575) / 1048576))M" "$@"
          [ "$gpus" -gt 0 ] && set -- --gpus="$gpus" "$@"
          [ "$all_gpus" -gt 0 ] && [ "$gpus" -eq 0 ] && set -- --gres=none "$@"
          set -- srun --quiet --exact --nodes=1 --ntasks=1 --cpus-per-task="$procs" "$@"
        elif [ "$all_gpus" -gt 0 ]; then
          export CUDA_VISIBLE_DEVICES="$(echo $own_devices | tr ' ' ',')"
        fi
        STINT_TASK=$number "$@" > "$own/stdout" 2> "$own/stderr" < /dev/null 3>&-
        code=$?
      fi
      if [ "$code" -eq 0 ]; then
        leave
        code=$?
      fi
      clean
      report e "$number" "$attempt" "$(now)" "$code"
    fi
    echo "$procs $memory $gpus $own_devices" >&3
  ) &
  needs 0 0
}
dismiss() { open=0; }
payload() {
  name=$1 directory=$2
  [ "$open" = 1 ] || return 0
  echo "$directory" > "place.$name"
  : > "pid.$name"
  (
    trap - TERM
    begin='echo $$ > "pid.$1"; exec setsid bash "$2/script" < /dev/null >> "$2/log" 2>&1 3>&-'
    STINT_PILOT=$$ sh -c "$begin" sh "$name" "$directory"
    ls "$directory"/report.* > /dev/null 2>&1 || kill -KILL -- "-$(cat "$directory/group")" 2> /dev/null
    rm -f "pid.$name" "place.$name"
  ) &
}
signal() { [ -s "pid.$1" ] && kill "-$2" "$(cat "pid.$1")" 2> /dev/null; }
end_suspended() {
  for begun in pid.*; do
    begun=\${begun#pid.}
    [ -e "$(cat "place.$begun" 2> /dev/null)/suspended" ] && signal "$begun" TERM
  done
}
advertise() {
  all=$(getconf _NPROCESSORS_ONLN) memory=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
  bytes=$((memory * 1024 / all * tokens))
  # The node of Slurm may be smaller than the machine; a RealMemory of 1 is one that is not configured.
  node=$(scontrol -o show node "\${SLURMD_NODENAME:-}" 2> /dev/null)
  real=$(expr "$node" : '.* RealMemory=\\([0-9]*\\)') cpus=$(expr "$node" : '.* CPUTot=\\([0-9]*\\)')
  if [ "\${real:-0}" -gt 1 ] && [ "\${cpus:-0}" -gt 0 ]; then
    share=$((real * 1048576 / cpus * tokens))
    [ "$share" -lt "$bytes" ] && bytes=$share
  fi
  [ -n "\${SLURM_MEM_PER_CPU:-}" ] && bytes=$((SLURM_MEM_PER_CPU * 1048576 * tokens))
  [ -n "\${SLURM_MEM_PER_NODE:-}" ] && bytes=$((SLURM_MEM_PER_NODE * 1048576))
  gpus=$(echo "\${CUDA_VISIBLE_DEVICES:-}" | tr ',' ' ' | wc -w)
  echo "$tokens $bytes $gpus \${SLURMD_NODENAME:-$(uname -n)}" > allocation.part
  mv allocation.part allocation
}
obey() {
  for order in order.*; do
    obeyed=done.\${order#order.}
    [ -e "$order" ] || continue
    quiet=0
    if [ -e "$obeyed" ]; then rm -f "$order"; else mv "$order" "$obeyed" && . "./$obeyed"; fi
  done
  set -- pid.*
  [ -e "$1" ] && quiet=0
  quiet=$((quiet + 1))
  [ "$quiet" -gt $((patience * 5)) ] && open=0
}
if [ -n "$patience" ]; then
  trap 'open=0; : > draining; end_suspended' TERM
  quiet=0
  advertise
fi
while [ "$open" = 1 ]; do
  [ -n "$patience" ] && obey
  if [ -e "orders.$next" ]; then
    . "./orders.$next"
    next=$((next + 1))
  else
    sleep 0.2
  fi
done
if [ -n "$patience" ]; then
  while set -- pid.* && [ -e "$1" ]; do
    obey
    sleep 0.2
  done
fi
until wait; do :; done
`;

/** A pilot of a site ends by itself after so many seconds without an order and without a job. */
const PATIENCE_SEC = 900;

/** Words of the command of a workflow's pilot. */
export function pilotProgram(
  size: Pick<JobDescription, "procs" | "memoryBytes" | "gpus">,
): readonly string[] {
  const { procs, memoryBytes = 0, gpus = 0 } = size;
  return [...scriptWords(procs), "", String(memoryBytes), String(gpus)];
}

function scriptWords(procs: number): readonly string[] {
  return ["/bin/sh", "-c", SCRIPT, "stint-pilot", String(procs)];
}

/** Words of the command of a site's pilot, which runs jobs. Its argument: other seconds of patience. */
export function sitePilotProgram({
  procs,
  arguments: [patienceSec = String(PATIENCE_SEC)],
}: Pick<JobDescription, "procs" | "arguments">): readonly string[] {
  return [...scriptWords(procs), patienceSec];
}
