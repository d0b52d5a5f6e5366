/** The dashboard and the alerts name metrics and labels that a broker really exports. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const examples = resolve(import.meta.dirname, "../examples/operating");
const folder = temporaryFolder();

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly query: unknown }[] };
}
interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}
interface Prometheus {
  readonly scrape_configs: readonly {
    readonly metrics_path: string;
    readonly static_configs: readonly { readonly targets: readonly string[] }[];
  }[];
}

const dashboard: Dashboard = JSON.parse(readFileSync(join(examples, "grafana-dashboard.json"), "utf8"));
const alerts: Alerts = parse(readFileSync(join(examples, "alerts.yaml"), "utf8"));
const prometheus: Prometheus = parse(readFileSync(join(examples, "prometheus.yaml"), "utf8"));

const expressions: readonly (readonly [string, string])[] = [
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...dashboard.templating.list.map(({ query }) => ["a variable", JSON.stringify(query)] as const),
  ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
];

describe("the dashboard and the alerts", () => {
  let broker: LiveBroker;
  /** Labels by the name of the metric, as the broker tells them. */
  const labels = new Map<string, ReadonlySet<string>>();

  beforeAll(async () => {
    broker = await startLiveBroker(join(folder, "state"));
    const ask = (...words: string[]) => stint(words, folder, broker.environment);
    ask("run", "--", "true");
    const token = ask("token", "create", "--role", "auditor", "--vo", "site/monitoring").out.trim();
    const [{ metrics_path: path = "" } = {}] = prometheus.scrape_configs;
    const answer = await fetch(`${broker.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    for (const [, name = ""] of text.matchAll(/^# TYPE (\w+) /gm)) labels.set(name, new Set());
    for (const [, name = "", said = ""] of text.matchAll(/^(\w+)\{([^}]*)\}/gm)) {
      const found = [...said.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
      labels.set(name, new Set([...(labels.get(name) ?? []), ...found]));
    }
  });
  afterAll(() => broker.end("SIGTERM"));

  it("name only metrics that there are", () => {
    const named = new Set(expressions.flatMap(([, expr]) => expr.match(/stint_\w+/g) ?? []));
    expect(named.size).toBeGreaterThan(12);
    expect([...named].filter((name) => !labels.has(name))).toEqual([]);
    for (const [title, expr] of expressions) {
      expect(expr, title).toMatch(/stint_|up\{job="stint"\}|prometheus/);
    }
  });

  it("select by labels that their metrics have", () => {
    const wrong = expressions.flatMap(([title, expr]) =>
      [...expr.matchAll(/(stint_\w+)\{([^}]*)\}/g)].flatMap(([, name = "", selector = ""]) => {
        const known = new Set([...(labels.get(name) ?? []), "instance", "job"]);
        // Consumers have no series before policies name them.
        if (name.startsWith("stint_consumer_"))
          for (const it of ["site", "consumer", "resource"]) known.add(it);
        // Nor do streams before one runs.
        if (name.startsWith("stint_stream_")) for (const it of ["site", "stream"]) known.add(it);
        const used = [...selector.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label = ""]) => label);
        return used.filter((label) => !known.has(label)).map((label) => `${title}: ${name}{${label}}`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it("show every metric of sites and consumers somewhere", () => {
    const all = expressions.map(([, expr]) => expr).join(" ");
    const own = [...labels.keys()].filter((name) => /^stint_(site|consumer|jobs)/.test(name));
    expect(own.filter((name) => !all.includes(name))).toEqual([]);
  });

  it.skipIf(spawnSync("promtool", ["--version"]).status !== 0)("are valid to promtool", () => {
    const checked = spawnSync("promtool", ["check", "rules", join(examples, "alerts.yaml")]);
    expect(checked.status).toBe(0);
  });

  it("scrape the broker at its usual port", () => {
    expect(prometheus.scrape_configs[0]?.static_configs[0]?.targets).toEqual(["127.0.0.1:7846"]);
  });
});
