import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fileSystemAt, refuseNetworkFileSystem } from "./local-disk.ts";

/** Mounts of a cluster's login node: homes on NFS, scratch on Lustre, the rest on a local disk. */
const MOUNTINFO = `22 1 8:1 / / rw,relatime shared:1 - xfs /dev/sda1 rw,attr2
23 22 0:21 / /proc rw,nosuid shared:5 - proc proc rw
38 22 0:45 / /people rw,relatime shared:30 - nfs4 filer:/vol/people rw,vers=4.2,hard
39 22 0:46 / /scratch rw - lustre 10.0.0.1@o2ib:/lustre rw,flock
40 22 8:2 / /people/local\\040disk rw shared:31 - ext4 /dev/sdb1 rw
41 22 0:47 / /mnt/over rw - ext4 /dev/sdc1 rw
42 22 0:48 / /mnt/over rw - fuse.sshfs me@there: rw,user_id=1000
`;

const folder = mkdtempSync(join(tmpdir(), "stint-disk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a state directory's file system", () => {
  it.each([
    ["/", "xfs"],
    ["/peoples/x", "xfs"],
    ["/people", "nfs4"],
    ["/people/ada/.local/state/stint", "nfs4"],
    ["/people/local disk/stint", "ext4"],
    ["/scratch/x", "lustre"],
    ["/mnt/over", "fuse.sshfs"],
  ])("is that of the innermost, last mount: %s is on %s", (path, type) => {
    expect(fileSystemAt(path, MOUNTINFO)).toBe(type);
  });

  it("is not known where the system does not say it, and then nothing is refused", () => {
    expect(fileSystemAt("/x", "")).toBeUndefined();
    expect(() => refuseNetworkFileSystem("/people/ada/stint", "")).not.toThrow();
  });

  it("MA-3 on a network it is refused with what to do, also one that is yet to be made", () => {
    const mounts = `1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:9 / ${folder} rw - nfs filer:/x rw\n`;
    expect(() => refuseNetworkFileSystem(join(folder, "deep", "er"), mounts)).toThrow("network file system");
    expect(() => refuseNetworkFileSystem("/nowhere/at/all", mounts)).not.toThrow();
  });

  it("MA-3 no part of it may lead to a network", () => {
    const state = join(folder, "state");
    const shared = join(folder, "shared");
    for (const made of [state, shared]) mkdirSync(made);
    const mounts = `1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:9 / ${shared} rw - nfs filer:/x rw\n`;
    expect(() => refuseNetworkFileSystem(state, mounts)).not.toThrow();
    symlinkSync(shared, join(state, "site"));
    expect(() => refuseNetworkFileSystem(state, mounts)).toThrow(shared);
  });

  it("MA-3 this machine's own temporary directory is local", () => {
    expect(() => refuseNetworkFileSystem(folder)).not.toThrow();
  });
});
