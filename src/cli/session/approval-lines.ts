import { printable } from '../printable.js';
import { changeLines, type ToneLine } from './change-lines.js';
import { argvLines, commandWords } from './command-words.js';
import type { OpenApproval } from './session-track.js';

export const DECISIONS = {
  a: { decision: 'approved', words: 'once' },
  s: { decision: 'approved_for_session', words: 'this session' },
  d: { decision: 'denied', words: 'no' },
  x: { decision: 'abort', words: 'no, stop the task' },
} as const;
export type DecisionKey = keyof typeof DECISIONS;

const HASH_BEGIN = 4;

/** What a person is asked, with everything that the answer is bound to. */
export function approvalLines({ kind, msg }: OpenApproval, linesMax?: number): ToneLine[] {
  return [
    { text: `? approve ${kind === 'exec' ? 'command' : 'changes'}`, tone: 'note' },
    ...(kind === 'exec' ? commandLines(msg) : patchLines(msg, linesMax)),
    ...(typeof msg.reason === 'string' && msg.reason !== '' ? [fact('asked', msg.reason)] : []),
    ...(msg.again === true ? [fact('again', 'it had begun before; what came of it is not known')] : []),
    ...(typeof msg.hash === 'string' ? [fact('bound to', `${shortHash(msg.hash)}   exactly this, nothing else`)] : []),
  ];
}

/** The keys that answer it. */
export function decisionWords(kind: OpenApproval['kind']): string {
  const keys = Object.entries(DECISIONS).map(([key, { words }]) => `${key} ${words}`);
  return [...keys, ...(kind === 'patch' ? ['v all of it'] : [])].join(' · ');
}

export function isDecisionKey(text: string): text is DecisionKey {
  return Object.hasOwn(DECISIONS, text);
}

export function shortHash(hash: string): string {
  return printable(`sha256:${hash.slice(0, HASH_BEGIN)}…${hash.slice(-HASH_BEGIN)}`);
}

function commandLines({ command, cwd, sandbox }: OpenApproval['msg']): ToneLine[] {
  const argv = Array.isArray(command) ? command.map(String) : [];
  return [
    { text: `    ${commandWords(argv)}`, tone: 'strong' },
    ...argvLines(argv).map((text): ToneLine => ({ text: `      ${text}`, tone: 'plain' })),
    fact('folder', String(cwd)),
    fact('where', sandbox === 'outside' ? 'outside of the sandbox' : 'inside the sandbox'),
  ];
}

function patchLines({ changes }: OpenApproval['msg'], linesMax?: number): ToneLine[] {
  const given = (changes ?? {}) as Parameters<typeof changeLines>[0];
  return changeLines(given, linesMax).map(({ text, tone }) => ({ text: `    ${text}`, tone }));
}

function fact(label: string, words: string): ToneLine {
  return { text: `    ${label.padEnd(8)}  ${printable(words)}`, tone: 'plain' };
}
