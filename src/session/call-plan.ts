import { createHash } from 'node:crypto';
import type { DeedFacts } from '../core/session/session-effects.js';
import type { Where } from '../core/session/session-messages.js';
import type { PatchPlan } from './patch/patch-plan.js';

export type Policy = DeedFacts['policy'];

/** All that is needed to do a call, as it is kept between judging and doing. */
export type ExecPlan = {
  kind: 'exec';
  argv: readonly string[];
  cwd: string;
  timeoutMs: number;
  /** A sandbox held here when it was judged: without one it is not done inside. */
  confined: boolean;
};
export type PatchDeed = { kind: 'patch'; patch: PatchPlan };
export type McpPlan = { kind: 'mcp'; server: string; tool: string; arguments: Readonly<Record<string, unknown>> };
export type CallPlan = ExecPlan | PatchDeed | McpPlan;

/** What is asked for and what is done must be the same, to the byte, under the same policy, on the same side. */
export function callHash(plan: CallPlan, { cwd, sandbox }: Policy, where: Where): string {
  const what = whatIsDone(plan, cwd);
  // Inside of nothing is another side: a yes that was meant for a sandbox does not count there.
  const side = plan.kind === 'exec' && where === 'inside' && !plan.confined ? 'unconfined' : where;
  return createHash('sha256')
    .update(JSON.stringify([plan.kind, ...what, sandbox, side]))
    .digest('hex');
}

function whatIsDone(plan: CallPlan, cwd: string): readonly unknown[] {
  switch (plan.kind) {
    case 'exec':
      return [plan.argv, plan.cwd];
    case 'patch':
      return [plan.patch.files.map(({ path, before, after, mode }) => [path, before, after, mode]), cwd];
    case 'mcp':
      return [[plan.server, plan.tool, plan.arguments], cwd];
  }
}

export function callHashes(plan: CallPlan, policy: Policy): Readonly<Record<Where, string>> {
  return { inside: callHash(plan, policy, 'inside'), outside: callHash(plan, policy, 'outside') };
}
