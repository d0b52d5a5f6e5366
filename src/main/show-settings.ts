/** Output of `stint config show`: every value in effect with its origin, without secrets. */
import { DEFAULT_PORT } from "../api/index.ts";
import { durationMs, formatDuration } from "../base/index.ts";
import type { ShowConfiguration, ShownSetting } from "../cli/index.ts";
import { type ConfiguredSite, writtenSettings } from "../formats/stint-yaml/index.ts";
import { batchSystemHere } from "./batch-system.ts";
import { type Origin, readSettings, type Setting } from "./settings.ts";
import { thisMachine, wholeSpec } from "./this-machine.ts";

/** Reads the settings as `stint up` does; starts nothing. */
export const showConfiguration: ShowConfiguration = async ({ configuration, isThisMachineOffered }) => {
  const flags = configuration === undefined ? {} : { configuration };
  const settings = await readSettings(process.env, flags);
  const { port } = settings;
  const shown = [
    row("configuration", settings.configuration),
    row("server.stateDir", settings.stateDirectory),
    row("server.port", { ...port, value: portShown(port.value) }),
    row("server.host", settings.host),
    row("server.tls.cert", settings.tls?.cert ?? notSet),
    row("server.tls.key", settings.tls?.key ?? notSet),
    row("server.inputs", settings.inputs),
    row("server.retention", lengthShown(settings.retention)),
    row("server.jobRetention.files", lengthShown(settings.jobFiles)),
    row("server.jobRetention.records", lengthShown(settings.jobRecords)),
    row("server.mail.from", { ...settings.mail, value: settings.mail.value?.from }),
    row("server.mail.domains", { ...settings.mail, value: settings.mail.value?.domains.join(", ") }),
    row("server.audit.syslog", settings.syslog),
    row("server.log.level", settings.log.level),
    row("server.log.format", settings.log.format),
    row("server.log.file", settings.log.file),
    row("url", settings.url),
    row("token", { ...settings.token, value: settings.token.value === undefined ? undefined : "(set)" }),
    row("ca", settings.ca),
  ];
  const file = settings.configuration.value;
  const sites = settings.sites.flatMap((site) => siteRows(site, file ?? ""));
  if (settings.sites.length > 0) return [...shown, ...sites];
  const batchSystem = isThisMachineOffered ? undefined : await batchSystemHere(process.env);
  if (batchSystem === undefined) return [...shown, ...siteRows(thisMachine, file ?? "")];
  const origin = `default: ${batchSystem} answers here`;
  return [...shown, { name: "sites", value: null, origin }];
};

const notSet: Setting<undefined> = { value: undefined, origin: { kind: "default" } };

function lengthShown({ value, origin }: Setting<number | undefined>): Setting<string | undefined> {
  return { value: value === undefined ? undefined : formatDuration(durationMs(value)), origin };
}

function portShown(port: number | null | undefined): string | number {
  if (port === undefined) return `${DEFAULT_PORT}, or any`;
  return port ?? "none";
}

function siteRows({ name, settings, lines }: ConfiguredSite, file: string): ShownSetting[] {
  return writtenSettings(wholeSpec(settings)).map(([path, value]) => {
    const line = lines.get(path);
    const origin: Origin = line === undefined ? { kind: "default" } : { kind: "file", file, line };
    return row(`sites.${name}.${path}`, { value, origin });
  });
}

function row(
  name: string,
  { value, origin }: Setting<Exclude<ShownSetting["value"], null> | undefined>,
): ShownSetting {
  return { name, value: value ?? null, origin: originText(origin) };
}

function originText(origin: Origin): string {
  switch (origin.kind) {
    case "default":
      return "default";
    case "file":
      return `${origin.file}:${origin.line}`;
    case "environment":
      return `${origin.variable} (environment)`;
    case "flag":
      return origin.flag;
  }
}
