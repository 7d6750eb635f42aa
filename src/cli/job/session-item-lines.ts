import { printable } from '../printable.js';
import { changeLines } from '../session/change-lines.js';
import { argvLines, commandWords } from '../session/command-words.js';
import { labelled } from './labelled.js';

/** So much of a change is shown before somebody asks for all of it. */
export const CHANGE_LINES_MAX = 60;
const FILES_MAX = 200;

type Details = Readonly<Record<string, unknown>>;
type Changes = Parameters<typeof changeLines>[0];

/** It is what the model of a session wants to do. */
export function isOfSession({ session }: Details): boolean {
  return session === true;
}

/** What a person decides about with all that the answer is bound to; what the model says to it is quoted. */
export function sessionItemLines(details: Details, { item, isWhole }: { item: number; isWhole: boolean }): string[] {
  const { wants, cwd, where, reason, justification, again, hash } = details;
  return [
    ...thingLines(details, { item, isWhole }),
    ...(wants === 'mcp' ? [] : labelled('in', cwd)),
    ...(wants === 'patch' ? [] : labelled('where', where === 'outside' ? 'OUTSIDE of the sandbox' : 'in the sandbox')),
    ...labelled('asked', reason),
    ...labelled('the model', justification, ' (its words; nobody has checked them)'),
    ...(again === 'unknown' ? labelled('again', 'it had begun before, and what came of it is not known') : []),
    ...labelled('bound to', typeof hash === 'string' ? `sha256:${hash.slice(0, 8)}…   exactly this` : undefined),
  ];
}

function thingLines(details: Details, { item, isWhole }: { item: number; isWhole: boolean }): string[] {
  const { wants, argv, changes, command, cwd } = details;
  if (wants === 'patch') return patchLines((changes ?? {}) as Changes, String(cwd), { item, isWhole });
  if (wants === 'mcp') return labelled('tool', command);
  const words = Array.isArray(argv) ? argv.map(String) : [];
  return [...labelled('command', commandWords(words)), ...argvLines(words).map((line) => `            ${line}`)];
}

/** Every file with what is added and removed in it; then the lines, up to a bound. */
function patchLines(changes: Changes, cwd: string, { item, isWhole }: { item: number; isWhole: boolean }): string[] {
  const sorted = Object.fromEntries(
    Object.entries(changes).toSorted(([one], [other]) => Number(isIn(one, cwd)) - Number(isIn(other, cwd))),
  );
  const lines = changeLines(sorted, Number.POSITIVE_INFINITY);
  const files = lines.filter(({ tone }) => tone === 'strong');
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  const outside = Object.keys(changes).filter((file) => !isIn(file, cwd)).length;
  const head = labelled('change', `${count}${outside > 0 ? `, ${outside} OUTSIDE of its folder` : ''}`);
  if (isWhole || lines.length <= CHANGE_LINES_MAX) return [...head, ...lines.map(({ text }) => `    ${text}`)];
  const left = lines.length - CHANGE_LINES_MAX;
  return [
    ...head,
    ...(files.length > 1 ? files.slice(0, FILES_MAX).map(({ text }) => `    ${text}`) : []),
    ...(files.length > FILES_MAX ? [`    … ${files.length - FILES_MAX} more files`] : []),
    ...(files.length > 1 ? [''] : []),
    ...lines.slice(0, CHANGE_LINES_MAX).map(({ text }) => `    ${text}`),
    printable(`    … ${left} more lines. All of it: baton inbox ${item} --all`),
  ];
}

function isIn(file: string, cwd: string): boolean {
  return file.startsWith('/') ? file.startsWith(`${cwd}/`) : !file.split('/').includes('..');
}
