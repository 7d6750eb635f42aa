import type { PlanStep } from '../contracts/generated/types/stage-plan.js';
import { stepsHash } from './steps-hash.js';
import type { Params, Risk } from './tool.js';

export type RiskyStep = { step_index: number; tool: string; params: Params };
export type Confirmation = { message: string; hash: string; steps: RiskyStep[] };

const MESSAGE_CHARS_MAX = 2_000;
const VALUE_CHARS_MAX = 120;
const EFFECT: Readonly<Record<Exclude<Risk, 'read_only'>, string>> = {
  destructive: 'destroys things',
  write: 'changes things',
};

/** What has to be agreed to before the first step runs, the worst first; undefined when every step only looks. */
export function confirmationOf(
  steps: readonly PlanStep[],
  riskOf: (tool: string) => Risk | undefined,
): Confirmation | undefined {
  const risky = steps.map(({ tool, params = {} }, step_index) => ({ step_index, tool, params }));
  const parts = (['destructive', 'write'] as const)
    .map((risk) => ({ risk, of: risky.filter(({ tool }) => riskOf(tool) === risk) }))
    .filter(({ of }) => of.length > 0);
  if (parts.length === 0) return undefined;
  const asked = parts.map(
    ({ risk, of }) =>
      `${of.length} ${of.length === 1 ? `step that ${EFFECT[risk]}` : `steps that ${plural(EFFECT[risk])}`}: ${of.map(shownStep).join('; ')}`,
  );
  return {
    message: `${cut(visible(`Run ${asked.join(', and ')}`), MESSAGE_CHARS_MAX)}?`,
    hash: stepsHash(steps),
    steps: parts.flatMap(({ of }) => of),
  };
}

const plural = (verb: string): string => verb.replace(/^(\w+?)s\b/, '$1');

function shownStep({ tool, params }: RiskyStep): string {
  const shown = Object.entries(params).map(
    ([name, value]) => `${name}: ${cut(JSON.stringify(value), VALUE_CHARS_MAX)}`,
  );
  return shown.length === 0 ? tool : `${tool} {${shown.join(', ')}}`;
}

/** What a person agrees to must not look like something else. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`);
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
