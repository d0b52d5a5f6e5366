/**
 * The part of a job's command that leaves its output data in stores of its site (rule BR-240): one text for
 * every kind of site, for a POSIX shell.
 *
 * A file is copied beside its place, compared by its checksum, and linked there: a store has it whole or not
 * at all. What is there already under the name is never replaced. For the broker a line for each copy is put
 * into the job's directory, and appears when all of them are whole.
 */
import type { KeptOutput } from "../../model/index.ts";
import { quoted } from "../quoted.ts";

/** File in the job's directory that says what was left. */
export const LEFT_FILE = ".stint-output-data";

/** Exit codes of sysexits: the input is missing, an error of input or output, a setting is wrong. */
const EX = { noInput: 66, ioError: 74, config: 78 } as const;

const KEEP_ONE = `keep_one() {
  [ -n "$2" ] || { echo "stint: $1 was not kept: jobs leave no files in store $4" >&2; return ${EX.config}; }
  [ -f "$1" ] || { echo "stint: $1 was not written, and so not kept as $3" >&2; return ${EX.noInput}; }
  sum=$(cksum < "$1") || return ${EX.ioError}
  if ! [ -e "$2" ]; then
    mkdir -p -- "\${2%/*}" && cp -- "$1" "$2.new.$$" && [ "$sum" = "$(cksum < "$2.new.$$")" ] || {
      rm -f -- "$2.new.$$"
      echo "stint: $1 could not be copied to $2" >&2
      return ${EX.ioError}
    }
    # A link is made at no name that another job has taken meanwhile; some file systems have none.
    ln -- "$2.new.$$" "$2" 2> /dev/null || [ -e "$2" ] || mv -- "$2.new.$$" "$2" || return ${EX.ioError}
    rm -f -- "$2.new.$$"
  fi
  [ "$sum" = "$(cksum < "$2")" ] ||
    { echo "stint: $1 was not kept: $2 is there already, and differs" >&2; return ${EX.ioError}; }
  hash=$(sha256sum < "$1" 2> /dev/null)
  bytes=\${sum#* }
  echo "$bytes \${hash%% *} $3" >> ${LEFT_FILE}.new
}`;

/** The shell function `keep`, which leaves all of them and fails with the first that cannot be left. */
export function keepFunction(outputs: readonly KeptOutput[]): string {
  if (outputs.length === 0) return "keep() { :; }";
  const calls = outputs.map(({ file, name, store, path }) => {
    return `keep_one ${[`./${file}`, path ?? "", name, store].map(quoted).join(" ")} &&`;
  });
  const first = `cd "\${STINT_DIRECTORY:-.}" && rm -f ${LEFT_FILE}.new &&`;
  return `${KEEP_ONE}\nkeep() (\n${[first, ...calls].join("\n")}\nmv -f ${LEFT_FILE}.new ${LEFT_FILE}\n)`;
}
