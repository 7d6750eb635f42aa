/** Lines of the live log, one an item, in the same words for every agent. */
import { oneLine, text } from './fields.js';

export function spokenLine(verb: 'says' | 'thinks', words: unknown): string[] {
  const line = oneLine(text(words));
  return line === '' ? [] : [`${verb}: ${line}`];
}

export function commandLine(command: string): string {
  return `$ ${oneLine(withoutShell(command))}`;
}

/** How something ended, and the beginning of what it brought. */
export function endLine(how: string, words: string): string {
  const line = oneLine(words);
  return line === '' ? `  ${how}` : `  ${how}: ${line}`;
}

/** What somebody does whom the agent has asked for help. */
export function helperLine(line: string): string {
  return `helper: ${line}`;
}

/** Names of files as they are called from the folder the agent works in. */
export function inFolder(lines: string, folder: string): string {
  return folder === '' ? lines : lines.replaceAll(`${folder}/`, '');
}

const IN_SHELL = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c ((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+)$/s;
const QUOTED = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs;

/** What a shell was given to run, where it is told with the shell around it. */
export function withoutShell(command: string): string {
  const word = IN_SHELL.exec(command)?.[1];
  if (word === undefined) return command;
  return word.replace(QUOTED, (_, single, double, one) => single ?? double?.replace(/\\([$`"\\!])/g, '$1') ?? one);
}
