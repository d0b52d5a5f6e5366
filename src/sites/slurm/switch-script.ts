/**
 * The part of a job's script that switches to a local account, in bash.
 *
 * A pilot of root switches with `setpriv`. Another one has no rights over the processes and files of the
 * account: `sudo` starts the helper `bin/stint-as` as that account, and the helper starts the program, sends
 * its signals, and opens the files that it leaves. The directory of the job stays that of the pilot's
 * account; access lists open it to the local account until the job ends.
 */

/** Functions; `switch` has the words in front of a command under the account. */
export const SWITCHING = `
switch=()
by_helper() { "\${switch[@]}" "$1" "$directory" "\${@:2}" < /dev/null 2> /dev/null; }
signal_program() {
  if [ -n "$helper" ]; then by_helper signal "$1"; else kill "-$1" -- "-$pid" 2> /dev/null; fi
}
open_directory() {
  local mine
  mine=$(id -un)
  chmod 0711 "$directory" &&
    setfacl -R -P -m "u:$account:rwX" -- "$directory/work" "$directory/tmp" &&
    find "$directory/work" "$directory/tmp" -type d -user "$mine" \\
      -exec setfacl -d -m "u:$account:rwX,u:$mine:rwX" -- {} +
}
close_directory() {
  [ -n "$helper$pooled" ] || return 0
  [ -z "$helper" ] || by_helper release "$(id -un)"
  rm -f "$directory/words"
  chmod 0700 "$directory"
}
refuse_account() {
  report "$1" null null
  exit 126
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
  open_directory 2> /dev/null || refuse_account noAccessLists
  by_helper check "$workdir" "$found" || refuse_account noAccess
}
# A shell of this account waits for sudo, which only root may look at or signal.
run_by_helper() {
  trap : TERM INT HUP USR1 ALRM
  "\${switch[@]}" run "$directory"
  exit
}
`;
