/**
 * The command of an interactive job: one text for every kind of site, for a POSIX shell, around the program.
 *
 * The program has a pseudo-terminal where the node has `script` of util-linux; without one it has pipes, and
 * says so. What is typed comes from a file that the broker appends to, so that neither a broker nor a
 * network connection has to live as long as the job. What the program writes goes to a few files of bounded
 * size, of which the oldest is removed: a job that writes without end fills neither a disk nor a memory, and
 * whoever attaches later finds the last of it. At the end that is the job's stdout.
 *
 * `tail` waits for the system to report a change where the file system can: an idle terminal costs nothing.
 */
import type { JobDescription } from "../model/index.ts";
import { CHUNK_BYTES, CHUNKS_KEPT, TERMINAL_FOLDER } from "../runtime/index.ts";
import { quoted } from "./quoted.ts";
import { broughtProgram } from "./stages.ts";

const SCRIPT = `
umask 077
place=\${STINT_DIRECTORY:-.}/${TERMINAL_FOLDER}
pipes=\${TMPDIR:-/tmp}/stint-terminal.$$
rm -rf -- "$place"
mkdir -p -- "$place" "$pipes" && mkfifo "$pipes/keys" "$pipes/sizes" || exit 126
: > "$place/sizes"
: > "$place/input"
# The greatest number of bytes that are kept is that of the files and what one dd copies.
keep() {
  trap '' HUP INT QUIT TERM USR1 USR2 ALRM
  last=0 before=0
  set -- 0
  : > "$place/screen.0"
  echo "0 0" > "$place/range"
  while dd bs=65536 count=16 >> "$place/screen.$last" 2> /dev/null; do
    size=$(($(wc -c < "$place/screen.$last")))
    [ "$size" -gt "$before" ] || break
    before=$size
    [ "$size" -ge ${CHUNK_BYTES} ] || continue
    last=$((last + size)) before=0
    set -- "$@" "$last"
    : > "$place/screen.$last"
    oldest=
    if [ "$#" -gt ${CHUNKS_KEPT} ]; then oldest=$1; shift; fi
    echo "$1 $last" > "$place/range.new" && mv -f "$place/range.new" "$place/range"
    [ -z "$oldest" ] || rm -f "$place/screen.$oldest"
  done
  cat > /dev/null
}
follow() {
  trap '' HUP INT QUIT TERM USR1 USR2 ALRM
  if tail -s 0.1 -c 1 /dev/null 2> /dev/null; then exec tail -s 0.1 -c +1 -f "$1"; fi
  exec tail -c +1 -f "$1"
}
resize() {
  trap '' HUP INT QUIT TERM USR1 USR2 ALRM
  while read -r rows columns; do
    until [ -s "$place/tty" ]; do sleep 0.1; done
    stty rows "$rows" cols "$columns" < "$(cat "$place/tty")"
  done 2> /dev/null
}
# A shell at its prompt ignores TERM, and ends by HUP; what has no use for HUP has had its TERM.
finish() {
  trap '' TERM
  session=$(cat "$place/session" 2> /dev/null) || return
  kill -TERM -- "-$session"
  sleep 1
  kill -HUP -- "-$session"
  kill -CONT -- "-$session"
} 2> /dev/null
# Feeds the keys, and waits for TERM: the shell itself waits for the program, and hears of nothing meanwhile.
feed() {
  trap finish TERM
  trap : HUP USR1 USR2 ALRM
  follow "$place/input" > "$pipes/keys" &
  echo "$!" > "$pipes/feeder"
  while kill -0 "$!"; do wait "$!"; done 2> /dev/null
}
feed &
follow "$place/sizes" > "$pipes/sizes" &
sizer=$!
resize < "$pipes/sizes" > /dev/null &
number() { case $1 in '' | *[!0-9]* | 0* | ?????*) echo "$2" ;; *) echo "$1" ;; esac; }
rows=$(number "$LINES" 24) columns=$(number "$COLUMNS" 80)
unset LINES COLUMNS
export STINT_TERMINAL="$place" STINT_SHELL="$SHELL" STINT_SIZE="rows $rows cols $columns"
trap : HUP INT QUIT TERM USR1 USR2 ALRM
# In the foreground: what a shell starts in the background ignores Ctrl-C.
(
  trap : HUP INT QUIT TERM USR1 USR2 ALRM
  if script --version 2> /dev/null | grep -q util-linux; then
    SHELL=/bin/sh script -qec "$begin" /dev/null < "$pipes/keys" 2>&1
  else
    echo "stint: no pseudo-terminal at this node, which has no script of util-linux: keys are read by lines"
    /bin/sh -c "$begin" < "$pipes/keys" 2>&1
  fi
  echo "$?" > "$place/code"
) | keep
kill -KILL "$(cat "$pipes/feeder")" "$sizer" 2> /dev/null
rm -rf -- "$pipes"
read -r code < "$place/code"
read -r oldest last < "$place/range"
while [ -e "$place/screen.$oldest" ]; do
  cat "$place/screen.$oldest"
  next=$((oldest + $(wc -c < "$place/screen.$oldest")))
  [ "$next" -gt "$oldest" ] || break
  oldest=$next
done
exit "\${code:-143}"
`;

/** Start of what the pseudo-terminal runs: it is told from a node without one by what tty says. */
const BEGIN = `if tty > "$STINT_TERMINAL/tty.new" 2> /dev/null; then
  stty sane $STINT_SIZE
  echo "$$" > "$STINT_TERMINAL/session"
  mv -f "$STINT_TERMINAL/tty.new" "$STINT_TERMINAL/tty"
fi
SHELL=$STINT_SHELL
[ -n "$SHELL" ] || unset SHELL
unset STINT_TERMINAL STINT_SHELL STINT_SIZE
exec`;

/** Words of the command; the program's own where it is not interactive. */
export function terminalCommand(description: JobDescription, command: readonly string[]): readonly string[] {
  if (description.interactive !== true) return command;
  const [program = "", ...words] = command;
  const found = broughtProgram(description, program);
  const brought = `"\${STINT_DIRECTORY:-.}"/${quoted(found.slice(2))}`;
  const isBrought = found.startsWith("./");
  const setMode = isBrought ? `chmod u+x -- ${brought}\n` : "";
  const line = [isBrought ? brought : quoted(found), ...words.map(quoted)].join(" ");
  const begin = `begin=${quoted(`${setMode}${BEGIN} ${line}`)}`;
  return ["/bin/sh", "-c", begin + SCRIPT, "stint-terminal"];
}
