/**
 * Refuses a state directory on a network file system: the lock and the write-ahead log of the database
 * hold within one machine only, and so do the site's renames and links.
 *
 * Linux says in /proc/self/mountinfo what is mounted where (proc(5)); elsewhere nothing is known, and
 * nothing is refused.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../base/index.ts";

/** File systems that several machines may share, by the kernel's names. */
const NETWORK = new Set(
  (
    "nfs nfs4 cifs smb3 smbfs ncpfs afs auristorfs coda ceph lustre gpfs beegfs panfs orangefs pvfs2 ocfs2 " +
    "gfs gfs2 9p fuse.sshfs fuse.glusterfs fuse.ceph fuse.ceph-fuse fuse.beegfs fuse.moosefs fuse.mfs " +
    "fuse.s3fs fuse.gcsfuse fuse.rclone fuse.cvmfs2 fuse.dcache fuse.eos fuse.quobyte fuse.weka wekafs"
  ).split(" "),
);
/** Parts of a state directory, each of which may be a link or a mount. */
const PARTS = [".", "log", "site", "sites", "sandboxes"];

/** Checks that all of the directory is on local disks. @throws Fault networkFileSystem */
export function refuseNetworkFileSystem(directory: string, mountinfo = readMountinfo()): void {
  for (const part of PARTS) {
    const path = realPath(join(directory, part));
    const type = fileSystemAt(path, mountinfo);
    if (type !== undefined && NETWORK.has(type)) throw onNetwork(directory, path, type);
  }
}

/** File system type of a real path; undefined if unknown. */
export function fileSystemAt(path: string, mountinfo: string): string | undefined {
  let best: { readonly point: string; readonly type: string } | undefined;
  for (const line of mountinfo.split("\n")) {
    const [before = "", after = ""] = line.split(" - ", 2);
    const point = unescaped(before.split(" ")[4] ?? "");
    const [type = ""] = after.split(" ");
    const holds = point === "/" || path === point || path.startsWith(`${point}/`);
    // Of mounts on one point the last covers the others.
    if (point !== "" && type !== "" && holds && point.length >= (best?.point.length ?? 0)) {
      best = { point, type };
    }
  }
  return best?.type;
}

/** Mount path with its octal escapes (blanks and the like) decoded. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** Target of a path; for a missing one, where it would be made. */
function realPath(path: string): string {
  let there = path;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  return realpathSync(there);
}

function readMountinfo(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}

function onNetwork(directory: string, path: string, type: string): Fault {
  return new Fault({
    kind: "refused",
    code: "networkFileSystem",
    what: `${directory} cannot be the state directory`,
    why: `${path} is on a network file system (${type}), where locks and syncs cannot be relied upon`,
    remedy:
      "name a directory on a disk of this machine, for instance with stint up --state-dir " +
      "/var/tmp/stint-$USER, with STINT_STATE_DIR, or as server.stateDir in stint.yaml",
  });
}
