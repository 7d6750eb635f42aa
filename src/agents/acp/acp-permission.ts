import { createHash } from 'node:crypto';
import type { Wanted } from '../../core/kernel/effect.js';
import { type Fields, fields, list, text } from '../cli/fields.js';

const WHAT_LENGTH_MAX = 8_000;
const CHANGES: ReadonlySet<unknown> = new Set(['edit', 'delete', 'move']);

/** What an agent asks for, so that the answer holds for exactly this. */
export function wantedIn(call: Fields, workspace: string): Pick<Wanted, 'kind' | 'what' | 'cwd'> {
  const { command, cwd, workdir } = fields(call.rawInput);
  const where = text(cwd) || text(workdir) || workspace;
  const line = Array.isArray(command) ? command.map(String).join(' ') : text(command);
  if (line !== '') return { kind: 'exec', what: bounded(line), cwd: where };
  const paths = list(call.locations).map((one) => text(fields(one).path));
  if (CHANGES.has(call.kind)) {
    const changes = list(call.content).flatMap((one) => changeIn(fields(one)));
    const what = [text(call.title), ...paths, ...(changes.length > 0 ? changes : [json(call.rawInput)])].join('\n');
    return { kind: 'patch', what: bounded(what), cwd: where };
  }
  // Never only a title: one that reads like a harmless command is not that command.
  const what = [`${text(call.kind) || 'other'} ${text(call.title)}`, ...paths, json(call.rawInput)].join('\n');
  return { kind: 'exec', what: bounded(what), cwd: where };
}

/** The option that says so for this once; undefined when the agent offers none. */
export function optionFor(options: unknown, answer: 'allow' | 'reject'): string | undefined {
  const kinds = answer === 'allow' ? ['allow_once'] : ['reject_once', 'reject_always'];
  const offered = list(options).map(fields);
  const found = kinds.flatMap((kind) => offered.filter((option) => option.kind === kind))[0];
  return typeof found?.optionId === 'string' ? found.optionId : undefined;
}

function changeIn({ type, path, oldText, newText }: Fields): string[] {
  if (type !== 'diff') return [];
  return [`--- ${text(path)}`, ...marked('-', text(oldText)), ...marked('+', text(newText))];
}

function marked(sign: string, words: string): string[] {
  return words === ''
    ? []
    : words
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line);
}

function json(value: unknown): string {
  return JSON.stringify(value ?? {});
}

/** What is cut off is still part of what was asked. */
function bounded(what: string): string {
  if (what.length <= WHAT_LENGTH_MAX) return what;
  const hash = createHash('sha256').update(what).digest('hex');
  return `${what.slice(0, WHAT_LENGTH_MAX)}\n… ${what.length} characters in all, sha256 ${hash}`;
}
