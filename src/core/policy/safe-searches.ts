import type { SafeProgram } from './safe-program.js';

/** Programs that look for files and lines; each has an option that starts another program. */
export const SAFE_SEARCHES: readonly SafeProgram[] = [
  {
    argv: ['rg'],
    options: [
      /^-[ciFHilLnNoPqsSuUvwx0]+$/,
      /^-[ABCegmtT].*$/,
      ...['--files', '--hidden', '--no-ignore', '--glob', '--type', '--count', '--line-number', '--no-heading'],
      ...['--ignore-case', '--fixed-strings', '--multiline', '--json', '--context', '--max-count', '--color'],
      ...['--files-with-matches', '--word-regexp', '--smart-case', '--sort'],
    ],
    examples: {
      safe: ['rg -n todo src', 'rg --files', 'rg -tts -C2 todo'],
      unsafe: ['rg --pre x todo', 'rg --pre=x todo', 'rg --hostname-bin x todo', 'rg -z todo', 'rg --search-zip todo'],
    },
  },
  {
    argv: ['fd'],
    options: [/^-[HIsiguapL0]+$/, /^-[edtE].*$/, '--hidden', '--no-ignore', '--type', '--extension', '--max-depth'],
    examples: { safe: ['fd -e ts', 'fd -t f name'], unsafe: ['fd -x rm', 'fd -X rm', 'fd --exec rm', 'fd -Hx rm'] },
  },
  {
    argv: ['find'],
    options: [
      ...['-L', '-H', '-P', '-name', '-iname', '-path', '-ipath', '-regex', '-iregex', '-type', '-maxdepth'],
      ...['-mindepth', '-size', '-mtime', '-mmin', '-newer', '-empty', '-perm', '-user', '-group', '-not', '-a', '-o'],
      ...['-and', '-or', '-prune', '-print', '-print0', '-printf', '-ls', '-quit', '-depth', '-xdev'],
      /^[-+]\d+[a-zA-Z]?$/,
    ],
    examples: {
      safe: ['find . -name a -type f', 'find src -mtime -2'],
      unsafe: [
        ...['find . -delete', 'find . -exec rm {} ;', 'find . -execdir x ;', 'find . -ok rm {} ;'],
        ...['find . -fprint a', 'find . -fls a', 'find . -fprintf a b', 'find . -okdir x ;', 'find . -files0-from a'],
      ],
    },
  },
];
