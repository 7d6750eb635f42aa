import type { ItemAnswer } from '../../contracts/api/inbox-shapes.js';
import { SYSTEM_RUN } from '../../core/kernel/system-run.js';
import type { InboxRow } from '../../engine/ports.js';
import { age } from '../age.js';
import { shortRun } from '../operator/short-run.js';
import { printable } from '../printable.js';
import { labelled } from './labelled.js';
import { isOfSession, sessionItemLines } from './session-item-lines.js';

const WHAT_WIDTH = 28;
const RUN_WIDTH = 16;
const WANTED_WIDTH = 40;
const SHOWN_WITH_QUESTION: ReadonlySet<string> = new Set([
  'exec_approval',
  'patch_approval',
  'clarification',
  'confirmation',
]);

export const LIST_HEAD = `ITEM      AGE  ${'WHAT'.padEnd(WHAT_WIDTH)} RUN`;

/** One item in a list; what an agent wants to do is shown with it. */
export function itemLine({ item, run, title, askedAt, kind, question }: InboxRow, nowMs: number): string {
  const head = `${String(item).padStart(4)}  ${age(askedAt, nowMs).padStart(7)}  ${cut(title, WHAT_WIDTH).padEnd(WHAT_WIDTH)} `;
  if (!SHOWN_WITH_QUESTION.has(kind)) return printable(head + shortRun(run));
  return printable(`${head}${run.padEnd(RUN_WIDTH)} ${cut(question.replaceAll('\n', ' '), WANTED_WIDTH)}`);
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

/** A command, and what it does. */
type Way = [command: string, does: string];

export function isNetwork({ title }: Pick<InboxRow, 'title'>): boolean {
  return title === 'approve network';
}

/** Commands that answer an item, each with what it does; the usual one first. */
export function answerWays(
  { item, kind, run, title, key }: Pick<InboxRow, 'item' | 'kind' | 'run' | 'title' | 'key'>,
  // A server does not tell the key.
  details: Readonly<Record<string, unknown>> = {},
): Way[] {
  const answer = `baton answer ${item}`;
  const id = printable(run);
  if (title.startsWith('your turn')) {
    return [
      [`${answer} --approve --text "…"`, 'done; what you have seen'],
      [`${answer} --deny --text "…"`, 'not done; what is missing'],
      [`baton job poststep ${id} --role … --response-file …`, 'with evidence'],
    ];
  }
  if (key.startsWith('blocker-') || kind === 'blocker') return ledgerWays(answer, kind, id);
  switch (kind) {
    case 'limit':
      if (run === SYSTEM_RUN) {
        return [
          [`${answer} --raise N`, 'the new budget of a day; what waits goes on'],
          [`${answer} --deny`, 'leave it as it is until tomorrow'],
        ];
      }
      return [
        [`${answer} --raise N`, 'the new total; it goes on'],
        [`${answer} --deny`, 'end the job'],
      ];
    case 'approval':
    case 'protected':
      return [
        [`${answer} --approve`, 'yes'],
        [`${answer} --deny --guidance "…"`, 'no, and it goes back'],
        [`baton job diff ${id}`, 'look at the work'],
      ];
    case 'exec_approval':
    case 'patch_approval':
      if (key.startsWith('call-') || isOfSession(details)) return sessionWays(answer);
      return [
        [`${answer} --approve`, 'it may, this once'],
        ...(isNetwork({ title })
          ? [[`${answer} --approve --always`, 'and from now on in this repository'] as Way]
          : []),
        [`${answer} --deny --guidance "…"`, 'it may not, and this is what it is told'],
      ];
    case 'clarification':
      return wordWays(answer, key.startsWith('request-') || typeof details.request_id === 'string');
    case 'confirmation':
      return [
        [`${answer} --approve`, 'yes, exactly this'],
        [`${answer} --deny`, 'no; the envelope ends'],
      ];
    case 'login':
      return [
        [`${answer} --approve`, 'it works again: try now'],
        [`${answer} --deny`, 'stop waiting for it'],
      ];
    case 'landing':
      return [
        [`${answer} --guidance "…"`, 'send it back to the agent'],
        [`${answer} --deny`, 'drop it; the branch is kept'],
      ];
    default:
      return [
        [`${answer} --guidance "…"`, 'go on, and this is what the agent is told'],
        [`${answer} --deny`, 'end the job'],
      ];
  }
}

/** What the model of a session wants to do. */
function sessionWays(answer: string): Way[] {
  return [
    [`${answer} --approve`, 'it may, this once'],
    [`${answer} --for-session`, 'and exactly the same again in this session'],
    [`${answer} --deny --guidance "…"`, 'it may not, and this is what the model is told'],
    [`${answer} --abort`, 'it may not, and its task ends'],
  ];
}

/** In one's own words, or for an agent. */
function wordWays(answer: string, isOfBridge: boolean): Way[] {
  if (!isOfBridge) return [[`${answer} --text "…"`, 'it goes on with these words']];
  return [
    [`${answer} --text "…"`, 'the answer; the orchestrator goes on with it'],
    [`${answer} --deny`, 'no answer; the orchestrator is told so'],
  ];
}

function ledgerWays(answer: string, kind: string, run: string): Way[] {
  const look: Way = [`baton operator ledger ${shortRun(run)}`, 'look at all of it'];
  if (kind === 'limit') return [[`${answer} --raise N`, 'the new total; it goes on'], look];
  if (kind !== 'blocker') return [[`${answer} --approve`, 'it is repaired: go on'], look];
  return [
    [`${answer} --approve`, 'try again, with twice the time'],
    [`${answer} --approve --text "agent NAME"`, 'another agent tries it'],
    [`${answer} --deny`, 'give it up'],
    look,
  ];
}

/** The same while the person who is asked looks on: what waits, and why. */
export function questionLines({ item, title, question }: InboxRow, details: Record<string, unknown>): string[] {
  return ['', `? ${item}  ${printable(title)}`, ...factLines(question, details)];
}

type Known = {
  details: Readonly<Record<string, unknown>>;
  /** Of one that is over. */
  answer: ItemAnswer | null;
  /** All of a long change. */
  isWhole: boolean;
};

/** One item with everything that is known about it, and the commands that answer it. */
export function itemLines(row: InboxRow, { details, answer, isWhole }: Known, nowMs: number): string[] {
  const { item, run, title, askedAt, answeredAt, question } = row;
  const { agent, phase, attempt } = details;
  const by = typeof agent === 'string' && attempt !== undefined ? ` by ${agent} (${phase}, try ${attempt})` : '';
  const head = printable(`${item} · ${title} · ${shortRun(run)} · asked ${age(askedAt, nowMs)} ago${by}`);
  const facts =
    isOfSession(details) && details.wants !== undefined
      ? sessionItemLines(details, { item, isWhole })
      : factLines(question, details);
  if (answeredAt !== null) {
    const { by: who = 'somebody', did = 'answered this' } = answer ?? {};
    const over = printable(`  ${who} ${did} ${age(answeredAt, nowMs)} ago, at ${answeredAt}`);
    return [head, over, ...(isOfSession(details) ? facts : [])];
  }
  const commands = answerWays(row, details);
  const width = Math.max(...commands.map(([command]) => command.length));
  return [head, ...facts, '', ...commands.map(([command, does]) => `  ${command.padEnd(width)}   ${does}`)];
}

function factLines(question: string, details: Record<string, unknown>): string[] {
  return [
    ...labelled(labelOf(details), question),
    ...labelled('in', details.cwd ?? details.dir),
    ...labelled('run by', Array.isArray(details.command) ? details.command.join(' ') : undefined),
    ...labelled('why', details.why),
    ...labelled('bound to', boundTo(details.hash)),
    ...labelled('reason', details.reason),
    ...labelled('asked for', details.request),
    ...labelled('steps', stepsOf(details.steps)),
    ...labelled(
      'words',
      details.words,
      ` (${typeof details.words_by === 'string' ? `words of ${details.words_by}` : 'its words'})`,
    ),
    ...checkLines(details.failed_checks),
    ...labelled('context', details.context),
    ...labelled('answer', details.raw_response, ' (as it came)'),
    ...labelled('protected', listed(details.protected_changed)),
    ...labelled('files', listed(details.files)),
    ...labelled('waiting', listed(details.logins)),
  ];
}

const OUTPUT_LINES_MAX = 12;
const OUTPUT_LINE_MAX = 160;

/** What failed, with the end of what it has printed. */
function checkLines(checks: unknown): string[] {
  if (!Array.isArray(checks)) return [];
  return checks.flatMap(({ command, exit_code, output }) => {
    const printed = String(output ?? '').trimEnd();
    const lines = printed === '' ? [] : printed.split('\n').slice(-OUTPUT_LINES_MAX);
    const ended = exit_code === null ? 'ended by a signal' : `exit ${exit_code}`;
    return [
      ...labelled('check', `${command.join(' ')}, ${ended}`),
      ...lines.flatMap((line) => labelled('', line.slice(0, OUTPUT_LINE_MAX))),
    ];
  });
}

function labelOf({ command, host }: Record<string, unknown>): string {
  if (typeof host === 'string') return 'host';
  return typeof command === 'string' ? 'command' : 'question';
}

/** Whoever answers answers this and nothing else. */
function boundTo(hash: unknown): string | undefined {
  return typeof hash === 'string' ? `sha256:${hash.slice(0, 8)}…   exactly this, in this folder` : undefined;
}

/** What would be run, each step as it is. */
function stepsOf(steps: unknown): string | undefined {
  if (!Array.isArray(steps)) return undefined;
  return steps.map(({ tool, params }) => `${tool} ${JSON.stringify(params ?? {})}`).join('; ');
}

function listed(value: unknown): string | undefined {
  return Array.isArray(value) ? value.join(', ') : undefined;
}
