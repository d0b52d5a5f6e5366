/**
 * The command of a job that names applications (rule BR-190): what the site's table says of each is set up by
 * a POSIX shell before the program, one text for every kind of site.
 *
 * Source: incarnation of abstract job descriptions in Unicore [WMS]. Names, paths and values are arguments of
 * a fixed script: no text of a user or a site is read by the shell. A module that cannot be loaded ends the
 * job before its program, with EX_CONFIG of sysexits.
 */
import { applicationFor } from "../match/index.ts";
import type { JobDescription, SiteOffer } from "../model/index.ts";

/** The place at which most systems define `module` for shells. */
const USUAL_INIT = "/etc/profile.d/modules.sh";
const EX_CONFIG = 78;

/**
 * Pairs of an action and its operand until `--`, then the number of words in front of the program, then
 * these, the program and its arguments. A program `./NAME` is in the job's directory.
 */
const SCRIPT = `fail() { echo "stint: $1" >&2; exit ${EX_CONFIG}; }
while [ "$1" != -- ]; do
  case $1 in
    init)
      if ! command -v module >/dev/null 2>&1; then
        [ -r "$2" ] || fail "the site's script for modules, $2, cannot be read"
        . "$2"
        command -v module >/dev/null 2>&1 || fail "the site's script $2 does not define module"
      fi ;;
    load) module load "$2" || fail "module $2 could not be loaded" ;;
    path) PATH=$2:$PATH; export PATH ;;
    set) export "$2" ;;
  esac
  shift 2
done
before=$2
shift 2
at=0
total=$#
while [ "$at" -lt "$total" ]; do
  word=$1
  shift
  if [ "$at" -eq "$before" ]; then
    case $word in ./*) word=\${STINT_DIRECTORY:-.}/$word; chmod u+x -- "$word" ;; esac
  fi
  set -- "$@" "$word"
  at=$((at + 1))
done
exec "$@"
`;

type Table = NonNullable<SiteOffer["applications"]>;

/** Settings of the applications of a job at a site; those that the site does not have are left out. */
function namedIn(table: Table, { applications = [] }: JobDescription): readonly Table[string][] {
  const names = Object.keys(table);
  return applications.flatMap((asked) => {
    const name = applicationFor(names, asked);
    return name === undefined ? [] : [table[name]];
  });
}

/** The whole command with modules loaded, paths and variables set; the same where nothing is to be done. */
export function withSettings(
  table: Table,
  description: JobDescription,
  command: readonly string[],
): readonly string[] {
  const actions = namedIn(table, description).flatMap(
    ({ modules = [], init, path = [], environment = {} }) => [
      ...(modules.length === 0 ? [] : ["init", init ?? USUAL_INIT]),
      ...modules.flatMap((module) => ["load", module]),
      ...path.toReversed().flatMap((directory) => ["path", directory]),
      ...Object.entries(environment)
        .filter(([name]) => !Object.hasOwn(description.environment, name))
        .flatMap(([name, value]) => ["set", `${name}=${value}`]),
    ],
  );
  return actions.length === 0 ? command : scripted(actions, [], command);
}

/** A program with the launchers of its applications in front, the first one's first. */
export function withLaunchers(
  table: Table,
  description: JobDescription,
  command: readonly string[],
): readonly string[] {
  const before = namedIn(table, description).flatMap(({ launcher = [], container }) => [
    ...launcher,
    ...(container === undefined ? [] : ["apptainer", "exec", container]),
  ]);
  return before.length === 0 ? command : scripted([], before, command);
}

function scripted(
  actions: readonly string[],
  before: readonly string[],
  command: readonly string[],
): readonly string[] {
  return ["/bin/sh", "-c", SCRIPT, "stint", ...actions, "--", String(before.length), ...before, ...command];
}
