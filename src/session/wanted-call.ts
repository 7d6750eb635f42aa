import { isObject } from '../contracts/shared/is-object.js';
import { readJson } from '../contracts/shared/read-json.js';
import { shellLineIn } from './shell-line.js';
import { EXEC_TOOL, IMAGE_TOOL, PATCH_TOOL, PLAN_TOOL, SECONDS_DEFAULT, SECONDS_MAX } from './tool-definitions.js';

export type WantedExec = {
  type: 'exec';
  /** A text is a line for a shell. */
  command: readonly string[] | string;
  workdir: string | null;
  timeoutMs: number;
  outside: boolean;
  justification: string | null;
};
export type PlanReport = { explanation: string | null; plan: readonly { step: string; status: string }[] };

/** What a model wants of us, once it is understood. */
export type WantedCall =
  | WantedExec
  | { type: 'patch'; text: string }
  | { type: 'plan'; report: PlanReport }
  | { type: 'image'; path: string }
  | { type: 'other'; tool: string; given: Readonly<Record<string, unknown>> }
  /** What the model is told, so that it can do better. */
  | { type: 'problem'; words: string };

/** One call of a response. `custom`: what is given is plain text. */
/** `isMasked`: it held a secret, which is not in it any more. */
export type GivenCall = { tool: string; custom: boolean; given: string; isMasked: boolean };

const ARGUMENT_BYTES_MAX = 16 * 1024 * 1024;
const WORDS_MAX = 10_000;
const PLAN_STEPS_MAX = 100;
const STEP_CHARS_MAX = 1_000;
const STATUSES = ['pending', 'in_progress', 'completed'];
/** What models call it that were taught by others. */
const SAME_AS_EXEC = ['shell', 'local_shell', 'bash', 'container.exec'];
const HEREDOC = /^\s*(?:cd\s+\S+\s*&&\s*)?apply_?patch\s*<<-?\s*(['"]?)(\w+)\1[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*\2\s*$/;
const BY_CD = /^\s*cd\s/;

/** The tool as we name it. */
export function toolNamed(name: string): string {
  if (name === 'applypatch') return PATCH_TOOL;
  return SAME_AS_EXEC.includes(name) ? EXEC_TOOL : name;
}

/** Reads what a model sent, taking what models really send; whatever is not understood is told back in words. */
export function wantedCall({ tool, custom, given }: Omit<GivenCall, 'isMasked'>): WantedCall {
  const name = toolNamed(tool);
  if (custom && name === PATCH_TOOL) return patchOf(given);
  if (custom && name === EXEC_TOOL) return execOf({ command: given });
  const read = given.trim() === '' ? { value: {} } : readJson(given, ARGUMENT_BYTES_MAX);
  if ('denial' in read) {
    // A patch that was sent as it is, without JSON around it.
    if (name === PATCH_TOOL && given.includes('*** Begin Patch')) return patchOf(given);
    return problem(`the arguments of ${name} are not JSON: ${read.denial.reason}`);
  }
  if (!isObject(read.value)) return problem(`the arguments of ${name} must be a JSON object`);
  const fields = read.value as Record<string, unknown>;
  switch (name) {
    case EXEC_TOOL:
      return execOf(fields);
    case PATCH_TOOL:
      return patchOf(fields.input ?? fields.patch);
    case PLAN_TOOL:
      return planOf(fields);
    case IMAGE_TOOL:
      return typeof fields.path === 'string' ? { type: 'image', path: fields.path } : missing(IMAGE_TOOL, 'path');
    default:
      return { type: 'other', tool: name, given: fields };
  }
}

function patchOf(text: unknown): WantedCall {
  return typeof text === 'string' ? { type: 'patch', text } : missing(PATCH_TOOL, 'input');
}

function execOf(fields: Readonly<Record<string, unknown>>): WantedCall {
  const command = fields.command ?? fields.cmd;
  const words = typeof command === 'string' ? command : listOf(command);
  if (words === undefined || words.length === 0) {
    return problem(`${EXEC_TOOL} needs command: an array of texts, or one line for the shell`);
  }
  if ([words].flat().some((word) => word.includes('\0'))) return problem('a command cannot hold U+0000');
  if (typeof words !== 'string' && (words.length > WORDS_MAX || words[0]?.trim() === '')) {
    return problem(`${EXEC_TOOL} needs the name of a program first, and at most ${WORDS_MAX} words`);
  }
  const workdir = fields.workdir ?? fields.cwd ?? null;
  if (workdir !== null && typeof workdir !== 'string') return problem('workdir must be the path of a folder');
  const patch = patchIn(words);
  if (patch !== undefined) {
    const isElsewhere = (workdir !== null && workdir !== '.' && workdir !== '') || patch.moved;
    if (!isElsewhere) return { type: 'patch', text: patch.text };
    return problem(`use ${PATCH_TOOL} for patches, with paths from the folder of the session`);
  }
  const ms = fields.timeout_ms ?? fields.timeout ?? SECONDS_DEFAULT * 1_000;
  if (typeof ms !== 'number' || !(ms > 0)) return problem('timeout_ms must be a number above zero');
  const { justification } = fields;
  return {
    ...{ type: 'exec', command: words, workdir: workdir === '' ? null : workdir },
    timeoutMs: Math.min(Math.ceil(ms), SECONDS_MAX * 1_000),
    outside: fields.with_escalated_permissions === true || fields.sandbox_permissions === 'require_escalated',
    justification: typeof justification === 'string' && justification.trim() !== '' ? justification : null,
  };
}

/** A patch that was sent as a command: there is no such program, but what is meant is plain. */
function patchIn(words: readonly string[] | string): { text: string; moved: boolean } | undefined {
  if (typeof words === 'string') return heredocIn(words);
  const [program = '', second = ''] = words;
  if (/^apply_?patch$/.test(program) && words.length === 2) return { text: second, moved: false };
  const line = shellLineIn(words);
  return line === undefined ? undefined : heredocIn(line);
}

function heredocIn(line: string): { text: string; moved: boolean } | undefined {
  const text = HEREDOC.exec(line)?.[3];
  return text === undefined ? undefined : { text, moved: BY_CD.test(line) };
}

function planOf({ plan, explanation }: Readonly<Record<string, unknown>>): WantedCall {
  if (!Array.isArray(plan)) return missing(PLAN_TOOL, 'plan');
  if (plan.length > PLAN_STEPS_MAX) return problem(`a plan has at most ${PLAN_STEPS_MAX} steps`);
  const steps: { step: string; status: string }[] = [];
  for (const [index, one] of plan.entries()) {
    const { step, status = 'pending' } = isObject(one) ? (one as Record<string, unknown>) : {};
    if (typeof step !== 'string' || step.trim() === '' || !STATUSES.includes(String(status))) {
      return problem(`step ${index + 1} of the plan needs step, in words, and status: ${STATUSES.join(', ')}`);
    }
    steps.push({ step: step.slice(0, STEP_CHARS_MAX), status: String(status) });
  }
  const why = typeof explanation === 'string' ? explanation.slice(0, STEP_CHARS_MAX) : null;
  return { type: 'plan', report: { explanation: why, plan: steps } };
}

function listOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((word) => typeof word === 'string') ? value : undefined;
}

function missing(tool: string, field: string): WantedCall {
  return problem(`${tool} needs the field ${field}`);
}

function problem(words: string): WantedCall {
  return { type: 'problem', words };
}
