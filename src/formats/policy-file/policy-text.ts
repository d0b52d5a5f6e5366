/**
 * Policies as the text of a policy file, which reads back the same.
 *
 * Calendar windows of a clock other than UTC stand in agreements, which alone can name a clock.
 */
import { offsetText } from "../../base/index.ts";
import type { Policy } from "../../model/index.ts";
import { longForm } from "./written.ts";

const UNDATED = { fromMs: null, untilMs: null };

/** A policy file, and the line of each of its policies, from 1. */
export interface PolicyText {
  readonly text: string;
  /** In the order in which the policies were given. */
  readonly lines: readonly number[];
}

/** Writes a policy file; an empty list where there are no policies. */
export function policyText(policies: readonly Policy[]): PolicyText {
  const plain = policies.filter((policy) => clockOf(policy) === 0);
  const agreed = new Map<string, Policy[]>();
  for (const policy of policies) {
    if (clockOf(policy) === 0) continue;
    const parties = JSON.stringify([policy.provider, policy.consumer, clockOf(policy)]);
    agreed.set(parties, [...(agreed.get(parties) ?? []), policy]);
  }
  const documents = [
    ...(plain.length > 0 || agreed.size === 0 ? [listText(plain)] : []),
    ...[...agreed.values()].map(agreementText),
  ];
  const text = documents.join("---\n");
  const starts = text.split("\n").flatMap((line, at) => (/^ *- /.test(line) ? [at + 1] : []));
  const inText = [...plain, ...[...agreed.values()].flat()];
  const lineOf = new Map(inText.map((policy, at) => [policy, starts[at]]));
  return { text, lines: policies.flatMap((policy) => lineOf.get(policy) ?? []) };
}

function clockOf({ epoch: { window } }: Policy): number {
  return window.kind === "fixed" ? window.offsetMs : 0;
}

function listText(policies: readonly Policy[], indent = ""): string {
  if (policies.length === 0) return `${indent}[]\n`;
  return policies.map((policy) => `${indent}- ${linesOf(policy).join(`\n${indent}  `)}\n`).join("");
}

function agreementText(policies: readonly Policy[]): string {
  const [first] = policies;
  const { provider, consumer } = first;
  return [
    `agreement: ${scalar(`${consumer} at ${provider}`)}\n`,
    `provider: ${scalar(provider)}\nconsumer: ${scalar(consumer)}\n`,
    `clock: ${scalar(offsetText(clockOf(first)))}\npolicies:\n${listText(policies, "  ")}`,
  ].join("");
}

function linesOf(policy: Policy): readonly string[] {
  const { resource, provider, consumer, epoch, burst, rule, mode, carry } = longForm(policy, UNDATED);
  return [
    `resource: ${resource}`,
    `provider: ${scalar(provider)}`,
    `consumer: ${scalar(consumer)}`,
    `epoch: { interval: ${epoch.interval}, share: ${epoch.share}, window: ${epoch.window} }`,
    `burst: { interval: ${burst.interval}, share: ${burst.share} }`,
    `rule: ${rule}`,
    `mode: ${mode}`,
    `carry: ${carry}`,
  ];
}

/** A name as YAML: quoted where it could be read as something other than text. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9_./@-]*$/.test(text) && !RESERVED.test(text);
  return isPlain ? text : JSON.stringify(text);
}

const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i;
