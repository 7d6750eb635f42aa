import type { Node } from 'web-tree-sitter';
import type { Redirect } from '../../core/policy/shell-reading.js';
import { resolveWord } from './resolve-word.js';
import { unreadable } from './unreadable.js';

const WRITES = ['>', '>>', '>|', '&>', '&>>', '>&'];
const READS = ['<', '<&'];
const CLOSES = ['<&-', '>&-'];

/** Undefined for one that only copies or closes a descriptor. */
export function readFileRedirect(node: Node): Redirect | undefined {
  const parts = node.children.filter((child) => child.type !== 'file_descriptor');
  const [operator, destination, ...more] = parts;
  if (operator && CLOSES.includes(operator.type) && !destination) return undefined;
  if (!operator || !destination) return unreadable('syntax', 'a redirection names no file');
  // The grammar takes the words behind a redirection for more of its files.
  if (more.length > 0) unreadable('syntax', 'words stand behind a redirection');
  const { text, open } = resolveWord(destination.text);
  if (open) unreadable('pattern', `the file ${destination.text} is not known`);
  if (operator.type.endsWith('&') && /^(?:\d+-?|-)$/.test(text)) return undefined;
  if (WRITES.includes(operator.type)) return { kind: 'write', target: text };
  if (READS.includes(operator.type)) return { kind: 'read', target: text };
  return unreadable('syntax', `the redirection ${operator.type} is not known`);
}

/** `<<< word`: the word is data. To a shell it stands on the same line, to the grammar it may not. */
export function checkHereString(node: Node): void {
  const word = node.lastChild?.text ?? '';
  if (!/^\d*<<<[ \t]*$/.test(node.text.slice(0, node.text.length - word.length))) {
    unreadable('syntax', 'a here-string names no text');
  }
  resolveWord(word);
}

/** `<< END`: its text is data when nothing in it is replaced. That it ends where the parser says is looked up. */
export function checkHereDocument(node: Node, source: string): void {
  const start = node.children.find(({ type }) => type === 'heredoc_start');
  const end = node.children.find(({ type }) => type === 'heredoc_end');
  const [, quote, name] = /^(['"]?)(\w+)\1$/.exec(start?.text ?? '') ?? [];
  if (!start || !end || name === undefined) unreadable('syntax', 'the end of a here-document is not clear');
  const strips = node.children.some(({ type }) => type === '<<-');
  const from = source.indexOf('\n', start.endIndex) + 1;
  let at = from;
  for (const line of source.slice(from).split('\n')) {
    if ((strips ? line.replace(/^\t+/, '') : line) === name) break;
    at += line.length + 1;
  }
  const body = source.slice(from, at);
  if (from === 0 || source.slice(at, end.endIndex).trim() !== name || end.endIndex > source.length) {
    unreadable('syntax', 'the end of a here-document is not clear');
  }
  if (quote === '' && /[$`\\]/.test(body)) unreadable('variable', 'a here-document holds something that is replaced');
}
