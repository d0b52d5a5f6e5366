/**
 * The command of a job that saves states (rules BR-210, BR-211): one text for every kind of site, for a POSIX
 * shell, that puts `stint-ckpt` on the PATH and says with which state the job begins.
 *
 * A state is a directory that is copied beside the others and renamed when it is whole. What counts is the
 * index, one file that is replaced by a rename as well: it names only states that are whole, and a state is
 * removed only when the index has ceased to name it. So a job that is killed at any instant leaves its last
 * whole state.
 */
import { hasCheckpoints, type JobDescription } from "../../model/index.ts";
import { broughtProgram } from "../stages.ts";
import {
  GIVEN_FOLDER,
  INDEX,
  MANIFEST,
  MOST_BYTES,
  MOST_FILES,
  STATES_FOLDER,
  USUALLY_KEPT,
} from "./layout.ts";

const KIB = 1024;

const HELPER = `#!/bin/sh
place=\${STINT_DIRECTORY:?stint-ckpt is for jobs of Stint}/${STATES_FOLDER}
fail() { echo "stint-ckpt: $1" >&2; exit "\${2:-1}"; }
usage() { fail 'write stint-ckpt save NAME FILE..., stint-ckpt restore [DIRECTORY], or stint-ckpt last' 2; }
newest() {
  line=$(tail -n 1 "$place/${INDEX}" 2> /dev/null)
  if [ -n "$line" ]; then
    set -- $line
    from=$place/$1/files name=$2
  elif [ -s "$STINT_DIRECTORY/${GIVEN_FOLDER}/name" ]; then
    from=$STINT_DIRECTORY/${GIVEN_FOLDER}/files
    read -r name < "$STINT_DIRECTORY/${GIVEN_FOLDER}/name"
  else
    return 1
  fi
}
unlock() { rm -f "$place/lock"; }
lock() {
  until (set -C; echo "$$" > "$place/lock") 2> /dev/null; do
    holder=$(cat "$place/lock" 2> /dev/null)
    [ -z "$holder" ] || kill -0 "$holder" 2> /dev/null || unlock
    sleep 1
  done
}
save() {
  name=$1
  shift
  [ "$#" -gt 0 ] || usage
  bad="'$name' is no name of a state: it has 1 to 64 letters, digits, . _ and -, a letter or digit first"
  case $name in [!A-Za-z0-9]* | *[!A-Za-z0-9._-]* | '') fail "$bad" 2 ;; esac
  [ "\${#name}" -le 64 ] || fail "$bad" 2
  # Those of saves that were killed.
  for old in "$place"/new.*; do kill -0 "\${old##*.}" 2> /dev/null || rm -rf -- "$old"; done
  draft=$place/new.$$
  trap 'rm -rf -- "$draft"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  rm -rf -- "$draft"
  mkdir -p -m 0700 -- "$draft/files" || fail 'no state can be written here'
  for file in "$@"; do
    while :; do case $file in ?*/) file=\${file%/} ;; *) break ;; esac; done
    [ -e "$file" ] || fail "$file is not there: nothing was saved"
    base=\${file##*/}
    case $base in '' | . | ..) fail "$file is saved by its name, and that is none: nothing was saved" ;; esac
    [ ! -e "$draft/files/$base" ] || fail "two files are named $base: nothing was saved"
    size=$(du -sk -- "$file" | cut -f 1)
    [ "\${size:-0}" -le ${MOST_BYTES / KIB} ] || fail "$file has more than 1 GiB: nothing was saved"
    cp -RP -- "$file" "$draft/files/$base" || fail "$file could not be copied: nothing was saved"
  done
  strange=$(find "$draft/files" '(' ! -type d ! -type f ')' -o -name '*[[:cntrl:]]*' | head -n 1)
  [ -z "$strange" ] ||
    fail "\${strange##*/} is neither a file nor a directory, or has a strange name: nothing was saved"
  count=$(($(find "$draft/files" -type f | wc -l)))
  [ "$count" -gt 0 ] || fail 'there are no files in what is named: nothing was saved'
  [ "$count" -le ${MOST_FILES} ] || fail 'a state has at most ${MOST_FILES} files: nothing was saved'
  (cd "$draft/files" && find . -type f -exec cksum {} +) > "$draft/${MANIFEST}" || fail 'nothing was saved'
  size=$(awk '{ sum += $2 } END { printf "%.0f", sum }' "$draft/${MANIFEST}")
  [ "$size" -le ${MOST_BYTES} ] || fail 'a state has at most 1 GiB: nothing was saved'
  lock
  last=$(tail -n 1 "$place/${INDEX}" 2> /dev/null)
  last=\${last%% *}
  number=$((\${last:-0} + 1))
  # One that was renamed by a save that did not come to its end, and never counted.
  rm -rf -- "$place/$number"
  mv -- "$draft" "$place/$number" || { unlock; fail 'nothing was saved'; }
  {
    awk -v name="$name" '$2 != name' "$place/${INDEX}" 2> /dev/null | tail -n "$((keep - 1))"
    echo "$number $name $(date +%s) $count $size"
  } > "$place/${INDEX}.new" && mv -f -- "$place/${INDEX}.new" "$place/${INDEX}" ||
    { unlock; fail 'nothing was saved'; }
  for old in "$place"/[1-9]*; do
    grep -q "^\${old##*/} " "$place/${INDEX}" || rm -rf -- "$old"
  done
  unlock
}
case $1 in
  save) shift; [ "$#" -gt 1 ] || usage; save "$@" ;;
  last) newest || exit 1; echo "$name" ;;
  restore)
    newest || fail 'there is no state yet'
    cp -R -- "$from/." "\${2:-.}" || fail 'the state could not be copied' ;;
  *) usage ;;
esac
`;

const SCRIPT = `place=\${STINT_DIRECTORY:-.}/${STATES_FOLDER}
bin=\${STINT_DIRECTORY:-.}/../tmp/stint-bin
mkdir -p -m 0700 -- "$place" "$bin"
# What an earlier run in this directory was in the midst of.
rm -rf -- "$place"/new.* "$place/lock"
printf '%s' "$1" > "$bin/stint-ckpt" && chmod 0700 "$bin/stint-ckpt"
shift
PATH=$bin:$PATH
export PATH
unset STINT_CHECKPOINT STINT_CHECKPOINT_NAME
line=$(tail -n 1 "$place/${INDEX}" 2> /dev/null)
given=\${STINT_DIRECTORY:-.}/${GIVEN_FOLDER}
if [ -n "$line" ]; then
  STINT_CHECKPOINT=$place/\${line%% *}/files
elif [ -s "$given/name" ]; then
  STINT_CHECKPOINT=$given/files
fi
if [ -n "$STINT_CHECKPOINT" ]; then
  STINT_CHECKPOINT_NAME=$(stint-ckpt last)
  export STINT_CHECKPOINT STINT_CHECKPOINT_NAME
fi
case $1 in ./*) first=\${STINT_DIRECTORY:-.}/$1; chmod u+x -- "$first"; shift; set -- "$first" "$@" ;; esac
exec "$@"
`;

/** Words of the command; the program's own where it saves nothing. */
export function checkpointCommand(
  description: JobDescription,
  command: readonly string[],
): readonly string[] {
  if (!hasCheckpoints(description)) return command;
  const [program = "", ...words] = command;
  const [first = "", ...rest] = HELPER.split("\n");
  const helper = [first, `keep=${description.checkpointsKept ?? USUALLY_KEPT}`, ...rest].join("\n");
  const shell = ["/bin/sh", "-c", SCRIPT, "stint-checkpoints", helper];
  return [...shell, broughtProgram(description, program), ...words];
}
