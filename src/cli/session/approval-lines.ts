import { askedWords } from '../../core/session/asked-words.js';
import type { ApprovalDecision } from '../../core/session/session-messages.js';
import { printable } from '../printable.js';
import { changeLines, type ToneLine } from './change-lines.js';
import { argvLines, commandWords } from './command-words.js';
import { cutToWidth } from './display-width.js';
import type { OpenApproval } from './session-track.js';
import { wrapLine } from './wrap-line.js';

/** An answer, and what the model is told beside it. */
export type Decided = { decision: ApprovalDecision; guidance?: string };

const DECISIONS = {
  a: { decision: 'approved', words: 'a once' },
  s: { decision: 'approved_for_session', words: 's this session' },
  d: { decision: 'denied', words: 'd [why] no' },
  x: { decision: 'abort', words: 'x no, stop the task' },
} as const;
/** Shows all of what is asked about, and decides nothing. */
export const SHOW_ALL = 'v';

const INDENT = '      ';
const LABEL_WIDTH = 8;
const HASH_BEGIN = 4;
const ROOM_MIN = 20;

/** What a person is asked, with everything that the answer is bound to. */
export function approvalLines({ kind, msg }: OpenApproval, linesMax?: number): ToneLine[] {
  return [
    { text: `? approve ${kind === 'exec' ? 'command' : 'changes'}`, tone: 'note' },
    ...(kind === 'exec' ? commandLines(msg) : patchLines(msg, linesMax)),
    ...reasonLines(msg),
    ...(msg.again === true ? [fact('again', 'it had begun before; what came of it is not known')] : []),
    ...(typeof msg.hash === 'string' ? [fact('bound to', `${shortHash(msg.hash)}   exactly this, nothing else`)] : []),
  ];
}

/** The line in which it is answered: the keys, and once more what they are for. */
export function decisionPrompt({ kind, msg }: OpenApproval, width: number): string {
  const keys = Object.values(DECISIONS).map(({ words }) => words);
  const all = [...keys, ...(kind === 'patch' ? [`${SHOW_ALL} all of it`] : [])].join(' · ');
  const room = Math.max(width - 2 * INDENT.length, ROOM_MIN);
  const lines = wrapLine({ text: `${INDENT}${all}`, tone: 'plain' }, width);
  return `${lines.join('\n')}\n${INDENT}${cutToWidth(wantedWords(kind, msg), room)}? `;
}

/** What a line decides, if anything. Words behind a no are for the model. */
export function decisionIn(said: string, spoken: Readonly<Record<string, string>> = {}): Decided | null {
  const [, first = '', words = ''] = /^(\S+)\s*([\s\S]*)$/.exec(said.trim()) ?? [];
  const word = first.toLowerCase();
  const key = spoken[word] ?? word;
  if (!Object.hasOwn(DECISIONS, key)) return null;
  const { decision } = DECISIONS[key as keyof typeof DECISIONS];
  if (words === '') return { decision };
  return decision === 'denied' ? { decision, guidance: words } : null;
}

export const DECISION_HINT: ToneLine = {
  text: `${INDENT}Type a, s, d or x, then Enter. d and words: no, and why.`,
  tone: 'dim',
};

/** Somebody else's words: nobody can take them for ours. */
export function quoted(words: string): string {
  return `"${printable(words).replaceAll('"', "'")}"`;
}

export function shortHash(hash: string): string {
  return printable(`sha256:${hash.slice(0, HASH_BEGIN)}…${hash.slice(-HASH_BEGIN)}`);
}

function commandLines({ command, cwd, sandbox }: OpenApproval['msg']): ToneLine[] {
  const argv = Array.isArray(command) ? command.map(String) : [];
  return [
    { text: `    ${commandWords(argv)}`, tone: 'strong', isExact: true },
    ...argvLines(argv).map((text): ToneLine => ({ text: `      ${text}`, tone: 'plain', isExact: true })),
    fact('folder', String(cwd)),
    fact('where', sandbox === 'outside' ? 'outside of the sandbox' : 'inside the sandbox'),
  ];
}

function patchLines({ changes }: OpenApproval['msg'], linesMax?: number): ToneLine[] {
  const given = (changes ?? {}) as Parameters<typeof changeLines>[0];
  return changeLines(given, linesMax).map((line) => ({ ...line, text: `    ${line.text}` }));
}

/** Why it is asked, and apart from it what the model says to that. */
function reasonLines({ reason }: OpenApproval['msg']): ToneLine[] {
  const { reason: ours, justification } = askedWords(typeof reason === 'string' && reason !== '' ? reason : null);
  return [
    ...(ours === null ? [] : [fact('asked', ours)]),
    ...(justification === null ? [] : [fact('model', quoted(justification))]),
  ];
}

function wantedWords(kind: OpenApproval['kind'], { command, changes }: OpenApproval['msg']): string {
  if (kind === 'exec') return commandWords(Array.isArray(command) ? command.map(String) : []);
  const files = Object.keys(changes ?? {});
  return files.length === 1 ? `change ${printable(files[0] ?? '')}` : `change ${files.length} files`;
}

function fact(label: string, words: string): ToneLine {
  const head = `    ${label.padEnd(LABEL_WIDTH)}  `;
  return { text: `${head}${printable(words)}`, tone: 'plain', hang: head.length };
}
