/** The long form of a policy, which reads back the same: the output of the command line in JSON and YAML. */
import { formatDuration, offsetText } from "../../base/index.ts";
import type { Agreement, EpochWindow, Policy } from "../../model/index.ts";
import type { Validity } from "./draft.ts";

/** All words of the long form, in the order of reading. */
export interface LongForm
  extends Pick<Policy, "resource" | "provider" | "consumer" | "rule" | "mode" | "carry"> {
  readonly epoch: { readonly interval: string; readonly share: string; readonly window: EpochWindow["kind"] };
  readonly burst: { readonly interval: string; readonly share: string };
  readonly from?: string;
  readonly until?: string;
}

/** The long form of a policy. */
export function longForm(policy: Policy, { fromMs, untilMs }: Validity): LongForm {
  const { resource, provider, consumer, epoch, burst, rule, mode, carry } = policy;
  const { window } = epoch;
  return {
    ...{ resource, provider, consumer },
    epoch: {
      interval: window.kind === "sliding" ? formatDuration(window.lengthMs) : window.unit,
      share: percentText(epoch.sharePpm),
      window: window.kind,
    },
    burst: { interval: formatDuration(burst.bucketMs), share: percentText(burst.sharePpm) },
    ...{ rule, mode, carry },
    ...(fromMs === null ? {} : { from: new Date(fromMs).toISOString() }),
    ...(untilMs === null ? {} : { until: new Date(untilMs).toISOString() }),
  };
}

/** Parts per million as `20%`, exactly. */
function percentText(ppm: number): string {
  return `${ppm / 10_000}%`;
}

/** An agreement in the words of its file, without its policies. */
export function agreementForm(agreement: Agreement): Readonly<Record<string, unknown>> {
  const { name, provider, consumer, contact, offsetMs, definitions, prices, versions } = agreement;
  const { downtime, drain, demand, nodeFailure, time, benchmark } = definitions;
  const { unitPriceThousandths, penaltyPpm } = prices;
  return {
    ...{ agreement: name, provider, consumer, contact, clock: offsetText(offsetMs) },
    definitions: {
      capacity: { downtime, drain },
      ...{ demand, nodeFailure },
      unit: {
        time,
        benchmark: benchmark.map(({ fromMs, thousandths }) => ({
          from: new Date(fromMs).toISOString(),
          factor: thousandths / 1000,
        })),
      },
    },
    prices: {
      unitPrice: unitPriceThousandths && unitPriceThousandths / 1000,
      penalty: penaltyPpm && penaltyPpm / 1_000_000,
    },
    validity: validityForm(agreement),
    versions: versions.map((version) => ({ version: version.version, ...validityForm(version) })),
  };
}

function validityForm({ fromMs, untilMs }: Validity): { from: string | null; until: string | null } {
  return {
    from: fromMs === null ? null : new Date(fromMs).toISOString(),
    until: untilMs === null ? null : new Date(untilMs).toISOString(),
  };
}
