/**
 * The part of a job's script that switches to a local account, in bash.
 *
 * A pilot of root switches with `setpriv`. A pilot of another account has no rights over the processes and
 * files of the local account: `sudo` starts the helper `bin/stint-as` as that account, and the helper starts
 * the program, sends signals to it, and opens the files that it leaves. The directory of the job belongs to
 * the pilot's account; access lists open it to the local account until the job ends. The helper reports the
 * program's process group through a pipe before the program runs, and the number is kept where no job can
 * write.
 *
 * An account of a pool is leased to one owner, whose jobs on a node share a lock. The last of them kills
 * whatever still runs under the account there, also a process without environment in a session of its own.
 */

/** Shell functions, which set `switch` to the command prefix that runs a command under the account. */
export const SWITCHING = `
switch=()
by_helper() { "\${switch[@]}" "$1" "$directory" "\${@:2}" < /dev/null 2> /dev/null; }
signal_program() {
  local group=
  if [ -z "$helper" ]; then
    kill "-$1" -- "-$pid" 2> /dev/null
    return
  fi
  until [ -s "$directory/account-group" ]; do
    kill -0 "$pid" 2> /dev/null || return
    sleep 0.1
  done
  read -r group < "$directory/account-group"
  by_helper signal "$1" "$group"
}
open_directory() {
  local mine
  mine=$(id -un)
  chmod 0711 "$directory" &&
    setfacl -R -P -m "u:$account:rwX" -- "$directory/work" "$directory/tmp" &&
    find "$directory/work" "$directory/tmp" -type d -user "$mine" \\
      -exec setfacl -d -m "u:$account:rwX,u:$mine:rwX" -- {} +
}
lock_account() {
  local locks
  [ -n "$pooled" ] && [ "$(id -u "$account")" != "$(id -u)" ] || return 0
  locks="/tmp/stint-accounts-$(id -u)"
  mkdir -m 0700 "$locks" 2> /dev/null
  [ -d "$locks" ] && [ ! -L "$locks" ] && [ -O "$locks" ] || return 0
  exec 7> "$locks/$account" && flock -s 7 && locked=1
}
kill_account() {
  [ -n "\${locked:-}" ] || return 0
  if flock -n -x 7; then
    if [ -n "$helper" ]; then by_helper everything; else "\${switch[@]}" bash -c 'kill -KILL -- -1'; fi
  fi
  # A job of the owner that ends now still closes its directory: it waits until nothing is killed any more.
  flock -s 7
}
close_directory() {
  [ -n "$helper$pooled" ] || return 0
  [ -z "\${reader:-}" ] || kill -KILL "$reader" 2> /dev/null
  rm -f "$directory/begun"
  [ -z "$helper" ] || by_helper release "$(id -un)"
  rm -f "$directory/words"
  chmod 0700 "$directory"
}
refuse_account() {
  # Nothing was written: the streams would look like those of a program without output.
  ( cd "$directory/work" && rm -f -- "$stdout" "$stderr" )
  report "$1" null null
  exit 126
}
refuse_opened() {
  close_directory
  refuse_account "$1"
}
switch_account() {
  lock_account 2> /dev/null
  if [ -n "$helper" ]; then switch_by_sudo; else switch_by_setpriv; fi
}
switch_by_setpriv() {
  switch=(setpriv --reuid="$account" --regid="$(id -g "$account")" --init-groups)
  switch+=(--inh-caps=-all --no-new-privs --)
  if [ "$(id -u)" != 0 ] || [ "$(id -u "$account")" = 0 ] || ! chmod 0711 "$directory" ||
    ! chown -R -- "$account:" "$directory/work" "$directory/tmp"; then
    refuse_account noAccount
  fi
  "\${switch[@]}" test -x "$workdir" -a -x "$found" || refuse_account noAccess
}
switch_by_sudo() {
  switch=(sudo -n -H -u "$account" -- "$helper")
  case "$(id -u "$account" 2> /dev/null)" in '' | 0) refuse_account unknownAccount ;; esac
  sudo -n -l -u "$account" -- "$helper" > /dev/null 2>&1 || refuse_account noSudo
  open_directory 2> /dev/null || refuse_opened noAccessLists
  by_helper check "$workdir" "$found" || refuse_opened noAccess
}
await_group() {
  local group=
  exec 6<> "$directory/begun"
  until read -r -t 5 -u 6 group; do kill -0 $$ 2> /dev/null || exit; done
  echo "$group" > "$directory/group.part" && mv "$directory/group.part" "$directory/account-group"
}
# A shell of this account waits for sudo, which only root may look at or signal.
run_by_helper() {
  trap : TERM INT HUP USR1 ALRM
  "\${switch[@]}" run "$directory"
  exit
}
`;
