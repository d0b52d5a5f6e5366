/**
 * The script of a pilot, for /bin/sh.
 *
 * It looks for orders in its directory (`orders.1`, `orders.2` …, each a piece of shell text that the broker
 * has put there whole) and reports into `reports`, a line for each beginning (`b`) and end (`e`) of a task.
 * It needs no way to the broker, and starts tasks without the batch system. Processors are tokens in a pipe:
 * orders that came ahead wait for them. Once dismissed it ends with its last task. On several nodes each task
 * is a job step.
 */
const SCRIPT = `umask 077
next=1 open=1 step= tokens=$1
mkfifo tokens && exec 3<> tokens && rm -f tokens
give() {
  count=$1
  while [ "$count" -gt 0 ]; do
    echo >&3
    count=$((count - 1))
  done
}
take() {
  count=$1
  while [ "$count" -gt 0 ]; do
    read -r _ <&3
    count=$((count - 1))
  done
}
give "$tokens"
if [ "\${SLURM_JOB_NUM_NODES:-1}" -gt 1 ]; then step=1; fi
home=$PWD
: >> reports
report() { echo "$*" >> "$home/reports"; }
now() { date +%s%3N; }
task() {
  number=$1 attempt=$2 procs=$3 place=$4
  shift 4
  take "$procs"
  (
    own=$home/tasks/$number.$attempt
    mkdir -p "$own"
    report b "$number" "$attempt" "$(now)"
    code=126
    if cd "\${place:-$own}" 2> "$own/stderr"; then
      [ -n "$step" ] && set -- srun --quiet --exact --nodes=1 --ntasks=1 --cpus-per-task="$procs" "$@"
      STINT_TASK=$number "$@" > "$own/stdout" 2> "$own/stderr" < /dev/null 3>&-
      code=$?
    fi
    report e "$number" "$attempt" "$(now)" "$code"
    give "$procs"
  ) &
}
dismiss() { open=0; }
while [ "$open" = 1 ]; do
  if [ -e "orders.$next" ]; then
    . "./orders.$next"
    next=$((next + 1))
  else
    sleep 0.2
  fi
done
wait
`;

/** Words of a pilot's command. */
export function pilotProgram(procs: number): readonly string[] {
  return ["/bin/sh", "-c", SCRIPT, "stint-pilot", String(procs)];
}
