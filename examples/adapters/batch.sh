#!/bin/sh
# The queue of `batch` (package at) as an adapter of Stint:
#
#     batch.sh DIRECTORY [PROCS]
#
# `batch` knows no processors and no time limits; the script of each job keeps its own limit. DIRECTORY has a
# file for each job with its number in the queue, and one with the process of its script.
directory=$1
procs=${2:-1}
mkdir -p -- "$directory" || exit 1

# Texts in requests have no quotes of their own: JSON writes these as \".
field() { printf '%s\n' "$line" | sed -n "s/.*\"$1\":\"\\([^\"\\\\]*\\)\".*/\\1/p"; }
answer() { printf '{"id":%s,"ok":%s}\n' "$id" "$1"; }
refuse() { printf '{"id":%s,"error":"%s","kind":"%s"}\n' "$id" "$1" "$2"; }
state_of() { atq | awk -v job="$1" '$1 == job { print ($(NF - 1) == "=") ? "running" : "waiting" }'; }

snapshot() {
  jobs=
  for file in "$directory"/*.job; do
    [ -f "$file" ] || continue
    key=$(basename -- "$file" .job)
    job=$(cat -- "$file")
    state=$(state_of "$job")
    if [ -z "$state" ]; then
      rm -f -- "$file" "$directory/$key.pid"
      continue
    fi
    jobs="$jobs${jobs:+,}{\"job\":\"$job\",\"key\":\"$key\",\"state\":\"$state\"}"
  done
  answer "{\"jobs\":[$jobs]}"
}

submit() {
  if [ -f "$directory/$key.job" ]; then
    answer "{\"job\":\"$(cat -- "$directory/$key.job")\"}"
    return
  fi
  script=$(field script)
  case $script in
    '' | *[!A-Za-z0-9_./-]*)
      refuse "the path of its script has characters that this adapter does not pass on" refused
      return
      ;;
  esac
  said=$(printf "echo \$\$ > '%s'\nexec bash '%s'\n" "$directory/$key.pid" "$script" | batch 2>&1)
  job=$(printf '%s\n' "$said" | sed -n 's/^job \([0-9][0-9]*\) at .*/\1/p')
  if [ -z "$job" ]; then
    refuse "batch did not take it" failed
    return
  fi
  echo "$job" > "$directory/$key.job"
  answer "{\"job\":\"$job\"}"
}

# One that waits leaves the queue; one that runs is asked to end.
cancel() {
  if [ -f "$directory/$key.pid" ]; then
    kill -TERM "$(cat -- "$directory/$key.pid")" 2> /dev/null
  elif [ -f "$directory/$key.job" ]; then
    atrm "$(cat -- "$directory/$key.job")" 2> /dev/null
  fi
  answer '{}'
}

pass_signal() {
  [ -f "$directory/$key.pid" ] && kill "-$(field signal)" "$(cat -- "$directory/$key.pid")" 2> /dev/null
  answer '{}'
}

while IFS= read -r line; do
  id=$(printf '%s\n' "$line" | sed -n 's/^{"id":\([0-9]*\),.*/\1/p')
  key=$(field key)
  case $key in *[!a-z0-9]*) key= ;; esac
  case $(field verb) in
    describe) answer "{\"protocol\":1,\"procs\":$procs,\"verbs\":[\"signal\"]}" ;;
    snapshot) snapshot ;;
    submit) submit ;;
    cancel) cancel ;;
    signal) pass_signal ;;
    *) refuse "this verb is unknown" refused ;;
  esac
done
