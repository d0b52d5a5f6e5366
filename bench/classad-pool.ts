/** Machines and jobs as HTCondor writes them: ads of 65 attributes, which demand through other attributes. */

const ATTRIBUTES = 65;
const WITHIN = ["Cpus", "Memory", "Disk"].map(
  (name) =>
    `ifThenElse(TARGET._condor_Request${name} isnt undefined, ` +
    `MY.${name} > 0 && TARGET._condor_Request${name} <= MY.${name}, ` +
    `ifThenElse(TARGET.Request${name} isnt undefined, ` +
    `MY.${name} > 0 && TARGET.Request${name} <= MY.${name}, 1 <= MY.${name}))`,
);

/** The ad of a machine: its demand is written alike in all, its figures are its own. */
export function machineText(at: number): string {
  const lines = [
    ...[`Name = "slot1@node${at}.example.org"`, `Machine = "node${at}.example.org"`, 'MyType = "Machine"'],
    ...['Arch = "X86_64"', `OpSys = "${at % 9 === 0 ? "WINDOWS" : "LINUX"}"`, `Cpus = ${1 + (at % 64)}`],
    ...[`Memory = ${1024 * (1 + (at % 97))}`, `Disk = ${1_000_000 + at * 7919}`, "HasFileTransfer = true"],
    ...[`LoadAvg = ${((at % 100) / 100).toFixed(2)}`, `KeyboardIdle = ${(at * 37) % 5000}`, "Rank = 0.0"],
    'START = KeyboardIdle > 300 && LoadAvg - 0.01 < 0.9 && TARGET.Owner =!= "eve"',
    `WithinResourceLimits = ${WITHIN.join(" && ")}`,
    "Requirements = START && WithinResourceLimits",
  ];
  const kinds = [
    (no: number) => `"text ${no}"`,
    (no: number) => no * 1000,
    () => "true",
    (no: number) => `${no}.5`,
  ];
  for (let no = lines.length; no < ATTRIBUTES; no++) lines.push(`Attribute${no} = ${kinds[no % 4](no)}`);
  return `[ ${lines.join(";\n  ")} ]`;
}

/** The ad of a job: five clauses, its own request in three of them. */
export function poolJobText(at: number): string {
  return `[ Owner = "ann${at % 50}"; ClusterId = ${at}; ProcId = 0; RequestCpus = ${1 + (at % 8)};
    RequestMemory = ${512 * (1 + (at % 40))}; RequestDisk = ${100_000 + at};
    Requirements = TARGET.Arch == "X86_64" && TARGET.OpSys == "LINUX" && TARGET.Disk >= RequestDisk
      && TARGET.Memory >= RequestMemory && TARGET.HasFileTransfer;
    Rank = TARGET.Memory + ${1 + (at % 5)} * TARGET.Cpus ]`;
}
