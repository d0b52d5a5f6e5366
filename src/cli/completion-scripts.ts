/**
 * Completion for bash, zsh and fish, generated from the tree of commands. All three scripts walk over the
 * words typed so far to find the command, then offer the values of an option just typed, else options after a
 * `-`, else the command's own words and those that a running broker knows (`stint __words`); files where
 * nothing is known, and after a `--`, behind which the words belong to another program.
 */

import { WORDS_COMMAND, type WordKind } from "./completion-kinds.ts";
import type { CompletionNode, CompletionOption } from "./completion-tree.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A shell with a completion script. */
export type Shell = (typeof SHELLS)[number];

/** Completion script, to be sourced by the shell. */
export function completionScript(shell: Shell, nodes: readonly CompletionNode[]): string {
  return writers[shell](nodes);
}

const writers = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

function bashScript(nodes: readonly CompletionNode[]): string {
  const words = nodes.map(({ path, commands, options, values, of }) => {
    const flags = options.flatMap((option) => option.flags).join(" ");
    const own = [...commands.map(({ word }) => word), ...values].join(" ");
    return `    ${quoted(path)}) flags=${quoted(flags)} own=${quoted(own)} of=${quoted(of ?? "")} ;;\n`;
  });
  return `# bash completion for stint: source <(stint completion bash)
_stint_words() { "\${COMP_WORDS[0]}" ${WORDS_COMMAND} "$1" 2>/dev/null | cut -f1; }
_stint() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" i flags="" own="" of=""
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ "\${COMP_WORDS[i]}" == "--" ]]; then return; fi
    case "$at \${COMP_WORDS[i]}" in
      ${pathCases(nodes, "|")}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  # --output=json comes as three words.
  if [[ "$cur" == "=" ]]; then cur=""
  elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$at $prev" in
${valueCases(nodes, bashValues)}  esac
  case "$at" in
${words.join("")}  esac
  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur")); return; fi
  if [[ -n "$of" ]]; then own="$own $(_stint_words "$of")"; fi
  if [[ -n "$own" ]]; then COMPREPLY=($(compgen -W "$own" -- "$cur")); fi
}
complete -o default -F _stint stint
`;
}

function bashValues(values: readonly string[], of: WordKind | undefined): string {
  const words = of === undefined ? quoted(values.join(" ")) : `"$(_stint_words ${of})"`;
  return `COMPREPLY=($(compgen -W ${words} -- "$cur")); return`;
}

function zshScript(nodes: readonly CompletionNode[]): string {
  const described = (words: readonly { readonly word: string; readonly help: string }[]) =>
    words.map(({ word, help }) => quoted(`${word}:${help}`)).join(" ");
  const words = nodes.map(({ path, commands, options, values, of }) => {
    const flags = options.flatMap((option) => option.flags.map((word) => ({ word, help: option.help })));
    const own = [...commands, ...values.map((word) => ({ word, help: "" }))];
    const lists = `flags=(${described(flags)}); own=(${described(own)})`;
    return `    ${quoted(path)}) ${lists}; of=${quoted(of ?? "")} ;;\n`;
  });
  return `#compdef stint
# zsh completion for stint: source <(stint completion zsh)
_stint_words() {
  local -a known
  known=("\${(@f)$("\${words[1]}" ${WORDS_COMMAND} "$1" 2>/dev/null | sed 's/:/\\\\:/g; s/\t/:/')}")
  _describe "$1" known
}
_stint() {
  local at="" i of=""
  local -a flags own
  for ((i = 2; i < CURRENT; i++)); do
    if [[ "\${words[i]}" == "--" ]]; then _files; return; fi
    case "$at \${words[i]}" in
      ${pathCases(nodes, "|")}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valueCases(nodes, zshValues)}  esac
  case "$at" in
${words.join("")}  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then _describe -o option flags
  elif [[ -n "$of" ]]; then _stint_words "$of"
  elif (( \${#own} )); then _describe word own
  else _files; fi
}
if [[ "\${funcstack[1]}" == "_stint" ]]; then _stint "$@"; else compdef _stint stint; fi
`;
}

function zshValues(values: readonly string[], of: WordKind | undefined): string {
  if (of !== undefined) return `_stint_words ${of}; return`;
  return `compadd -- ${values.map(quoted).join(" ")}; return`;
}

function fishScript(nodes: readonly CompletionNode[]): string {
  const lines = nodes.flatMap(({ path, commands, options, values, of }) => {
    const at = `complete -c stint -n ${fishQuoted(`__stint_at ${fishQuoted(path)}`)}`;
    return [
      ...commands.map(({ word, help }) => `${at} -f -a ${fishQuoted(word)} -d ${fishQuoted(help)}`),
      ...values.map((word) => `${at} -f -a ${fishQuoted(word)}`),
      ...(of === undefined ? [] : [`${at} -f -a ${fishQuoted(fishWords(of))}`]),
      ...options.map((option) => `${at} ${fishOption(option)}`),
    ];
  });
  return `# fish completion for stint: stint completion fish | source
function __stint_at
  set -l at ""
  for word in (commandline -opc)[2..-1]
    if test "$word" = "--"
      return 1
    end
    switch "$at $word"
      case ${pathCases(nodes, " ")}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

function fishWords(of: WordKind): string {
  return `(stint ${WORDS_COMMAND} ${of} 2>/dev/null)`;
}

function fishOption({ flags, help, takesValue, values, of }: CompletionOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const words = of === undefined ? values.join(" ") : fishWords(of);
  const known = words === "" ? ["-r"] : [`-x -a ${fishQuoted(words)}`];
  return [...names, ...(takesValue ? known : []), `-d ${fishQuoted(help)}`].join(" ");
}

/** Paths of all commands, as alternatives of a shell pattern. */
function pathCases(nodes: readonly CompletionNode[], separator: string): string {
  return nodes.flatMap(({ path }) => (path === "" ? [] : quoted(path))).join(separator);
}

/** Completion after an option with a value: the possible values, else files. */
function valueCases(
  nodes: readonly CompletionNode[],
  offer: (values: readonly string[], of: WordKind | undefined) => string,
): string {
  return nodes
    .flatMap(({ path, options }) =>
      options.flatMap(({ flags, values, of }) => {
        if (values.length === 0 && of === undefined) return [];
        return `    ${flags.map((flag) => quoted(`${path} ${flag}`)).join("|")}) ${offer(values, of)} ;;\n`;
      }),
    )
    .join("");
}

/** A word quoted for shells of the Bourne family. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
