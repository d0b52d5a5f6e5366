/**
 * cgroup.conf: says that no systemd is to be asked.
 *
 * Source: cgroup.conf(5) of Slurm 22.05. The test clusters contain their jobs by process (`linuxproc`),
 * so nothing reads this; but a plugin that would must not look for a systemd that is not there.
 */

/** The text of cgroup.conf. */
export function cgroupConf(): string {
  return ["CgroupPlugin=autodetect", "IgnoreSystemd=yes", ""].join("\n");
}
