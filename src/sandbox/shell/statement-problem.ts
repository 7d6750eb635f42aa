import type { Unreadable } from '../../core/policy/shell-reading.js';

const RUN_TEXT = ['eval', 'source', '.', 'trap', 'coproc', 'fc', 'mapfile', 'readarray', 'let'];
const CHANGE_MEANING = ['alias', 'unalias', 'enable', 'hash', 'shopt', 'bind', 'complete', 'unset', 'function'];
const DECLARE = ['declare', 'typeset', 'local', 'readonly', 'export', 'read', 'getopts'];

/** Words of the shell itself after which the rest of the line no longer means what it says. */
export function statementProblem(argv: readonly string[]): { what: Unreadable; reason: string } | undefined {
  const [word = ''] = argv;
  if (RUN_TEXT.includes(word)) return { what: 'runs-text', reason: `${word} runs text that is not known` };
  if (CHANGE_MEANING.includes(word)) return { what: 'definition', reason: `${word} changes what other words mean` };
  if (DECLARE.includes(word)) return { what: 'definition', reason: `${word} sets variables by rules of its own` };
  return undefined;
}
