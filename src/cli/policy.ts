/** `stint policy`: reads, checks and applies usage policies. */
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { policyActionsCommand } from "./policy-actions.ts";
import { policyAdmitCommand } from "./policy-admit.ts";
import { policyApplyCommand } from "./policy-apply.ts";
import { policyCheckCommand } from "./policy-check.ts";
import { policyCompileCommand } from "./policy-compile.ts";
import { policyDiffCommand } from "./policy-diff.ts";
import { policyFollowCommand } from "./policy-follow.ts";
import { policyHistoryCommand, policyShowCommand } from "./policy-show.ts";
import type { PolicyTools } from "./policy-tools.ts";
import { policyUnfollowCommand } from "./policy-unfollow.ts";
import { policyVerifyCommand } from "./policy-verify.ts";
import type { VerifyTools } from "./policy-verify-tools.ts";

const EXAMPLES = `
Examples:
  $ stint policy check west.policy.yaml
  $ stint policy diff west.policy.yaml next-year.policy.yaml
  $ stint policy admit requests.json --policies west.policy.yaml
  $ stint policy apply west.policy.yaml
  $ stint policy show
  $ stint policy verify --policies west.policy.yaml --swf year.swf.gz --owners owners.yaml

A policy sets how much of a resource a provider gives to a consumer: at any
instant (burst), and on average over an interval (epoch). As tuples, one per
line, in seconds and percent:

  (1) CPU, Site1, VO0, (3600,20), (5,60)

The same policy in YAML:

  - { resource: cpu, provider: Site1, consumer: VO0,
      epoch: { interval: 1h, share: 20% }, burst: { interval: 5s, share: 60% } }
`;

/** Command definition of `stint policy`. */
export function policyCommand(
  load: () => Promise<PolicyTools>,
  loadVerify: (() => Promise<VerifyTools>) | undefined,
  context: CommandContext,
): Command {
  const command = new Command("policy")
    .summary("manage usage policies: who may use how much of what")
    .description("Manages usage policies: who may use how much of what.")
    .addHelpText("after", EXAMPLES)
    .addCommand(policyCheckCommand(load, context))
    .addCommand(policyDiffCommand(load, context))
    .addCommand(policyAdmitCommand(load, context))
    .addCommand(policyApplyCommand(load, context))
    .addCommand(policyShowCommand(context))
    .addCommand(policyHistoryCommand(context))
    .addCommand(policyActionsCommand(context))
    .addCommand(policyFollowCommand(context))
    .addCommand(policyUnfollowCommand(context))
    .addCommand(policyCompileCommand(context));
  if (loadVerify !== undefined) command.addCommand(policyVerifyCommand(loadVerify, context));
  return command;
}
