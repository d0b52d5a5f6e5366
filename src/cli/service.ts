/** `stint service unit`: prints a unit with which systemd runs a broker. */
import { Command, Option } from "commander";
import { Fault } from "../base/index.ts";

/** Program and caller, as the unit needs them. */
export interface ServiceWorld {
  /** Absolute paths of Node.js and of the program. */
  readonly program: readonly [node: string, script: string];
  readonly isRoot: boolean;
}

interface UnitOptions {
  readonly system?: true;
  readonly user?: true;
  readonly runAs: string;
  readonly config?: string;
  readonly stateDir?: string;
}

const EXAMPLES = `
Examples:
  $ stint service unit --user > ~/.config/systemd/user/stint.service
  $ systemctl --user enable --now stint; loginctl enable-linger

  # useradd --system --create-home --home-dir /var/lib/stint stint
  # stint service unit --system --config /etc/stint/stint.yaml > /etc/systemd/system/stint.service
  # systemctl daemon-reload; systemctl enable --now stint
  # sudo -u stint STINT_STATE_DIR=/var/lib/stint stint status

As root the default is --system, else --user. The unit restarts a broker that failed, and lets the jobs of
this machine outlive it (KillMode=process). A system unit is hardened: it may write to its state directory
alone, and gains no privileges; jobs on this machine run under the same limits. If they need more, grant it in
a drop-in (systemctl edit stint), for instance ReadWritePaths=/scratch.
`;

/** Command definition of `stint service`. */
export function serviceCommand(
  load: () => Promise<ServiceWorld>,
  { writeResult }: { readonly writeResult: (text: string) => void },
): Command {
  const unit = new Command("unit")
    .summary("print a systemd unit for a broker")
    .description("Prints a unit with which systemd runs a broker, with the paths of this installation.")
    .addOption(
      new Option("--system", "system unit, for the whole machine (default for root)").conflicts("user"),
    )
    .addOption(new Option("--user", "user unit, for one user (default for other users)"))
    .option("--run-as <user>", "user of a system unit", "stint")
    .option("--config <file>", "the configuration, an absolute path")
    .option("--state-dir <directory>", "the state directory, an absolute path")
    .addHelpText("after", EXAMPLES)
    .action(async (options: UnitOptions) => {
      const { program, isRoot } = await load();
      const isSystem = options.system ?? (options.user === undefined && isRoot);
      writeResult(isSystem ? systemUnit(program, options) : userUnit(program, options));
    });
  return new Command("service")
    .summary("run the broker as a service of this machine")
    .description("Prints the unit file with which a service manager runs a broker.")
    .addCommand(unit);
}

function systemUnit(program: ServiceWorld["program"], options: UnitOptions): string {
  const { runAs, stateDir = "/var/lib/stint" } = options;
  const owned = /^\/var\/lib\/([^/]+)$/.exec(stateDir)?.[1];
  return unitText({
    unit: ["Wants=network-online.target", "After=network-online.target"],
    service: [
      `User=${word(runAs)}`,
      ...startLines(program, { ...options, stateDir }),
      ...(owned === undefined
        ? [`ReadWritePaths=${word(stateDir)}`]
        : [`StateDirectory=${word(owned)}`, "StateDirectoryMode=0700"]),
      ...HARDENING,
    ],
    wantedBy: "multi-user.target",
  });
}

function userUnit(program: ServiceWorld["program"], options: UnitOptions): string {
  return unitText({ unit: [], service: startLines(program, options), wantedBy: "default.target" });
}

function startLines(
  [node, script]: ServiceWorld["program"],
  { config, stateDir }: UnitOptions,
): readonly string[] {
  const configured = config === undefined ? [] : ["--config", absolute("--config", config)];
  const words = [node, script, "up", ...configured];
  const state = stateDir && absolute("--state-dir", stateDir);
  return [
    ...(state === undefined ? [] : [`Environment=${word(`STINT_STATE_DIR=${state}`)}`]),
    `ExecStart=${words.map(commandWord).join(" ")}`,
    ...COMMON,
  ];
}

const COMMON: readonly string[] = [
  "Type=exec",
  "Restart=on-failure",
  "RestartSec=5",
  "# The broker alone is ended; jobs of this machine outlive it, and the next one finds them.",
  "KillMode=process",
  "TimeoutStopSec=90",
  "UMask=0077",
  "LimitNOFILE=65536",
  "NoNewPrivileges=yes",
];

/** In order of systemd.exec(5). */
const HARDENING: readonly string[] = [
  "# Not here: MemoryDenyWriteExecute (Node compiles as it runs), PrivateTmp and PrivateDevices (jobs of",
  "# this machine outlive the unit's /tmp, and may use GPUs).",
  "CapabilityBoundingSet=",
  "ProtectSystem=strict",
  "ProtectHome=read-only",
  "ProtectHostname=yes",
  "ProtectClock=yes",
  "ProtectKernelTunables=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelLogs=yes",
  "ProtectControlGroups=yes",
  "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
  "RestrictNamespaces=yes",
  "LockPersonality=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "RemoveIPC=no",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallErrorNumber=EPERM",
];

interface Sections {
  readonly unit: readonly string[];
  readonly service: readonly string[];
  readonly wantedBy: string;
}

function unitText({ unit, service, wantedBy }: Sections): string {
  return [
    ...["[Unit]", "Description=Stint broker", ...unit, ""],
    ...["[Service]", ...service, ""],
    ...["[Install]", `WantedBy=${wantedBy}`, ""],
  ].join("\n");
}

/** A word of a command line, in which systemd would replace variables. */
function commandWord(text: string): string {
  return word(text.replace(/\$/g, "$$$$"));
}

/** A word of a unit file: quoted where it must be, with specifiers taken literally. */
function word(text: string): string {
  const literal = text.replace(/%/g, "%%");
  return /^[\w@%+=:,./$-]+$/.test(literal) ? literal : `"${literal.replace(/[\\"]/g, "\\$&")}"`;
}

function absolute(option: string, path: string): string {
  if (/^\/[^\n]*$/.test(path)) return path;
  throw new Fault({
    kind: "badInput",
    code: "notAbsolute",
    what: `${option}: ${JSON.stringify(path)} is not an absolute path`,
    why: "systemd starts the broker in an unspecified directory",
    remedy: `write for instance ${option} /etc/stint/stint.yaml`,
  });
}
