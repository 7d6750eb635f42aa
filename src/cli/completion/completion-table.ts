import type { CommandSpec, OptionSpec } from '../command.js';

/**
 * What may stand where, as rows that every shell looks up by the same keys:
 * `sub:PATH` words that go on, `opt:PATH` options, `val:PATH --OPTION` values, `arg:PATH N` positional
 * words. A row without words means files.
 */
export type CompletionTable = ReadonlyMap<string, readonly string[]>;

const GLOBAL_OPTIONS = ['--json', '--help'];

export function completionTable(specs: readonly CommandSpec[], contracts: readonly string[]): CompletionTable {
  const table = new Map<string, readonly string[]>([['opt:', ['--help', '--version']]]);
  const known = new Map([
    ['CONTRACT', contracts],
    ['COMMAND', [...new Set(specs.map(({ name }) => name.split(' ')[0] ?? ''))]],
  ]);
  for (const spec of specs) {
    addPath(table, spec.name);
    addOptions(table, spec);
    for (const [index, words] of positionals(spec, known, contracts).entries()) {
      table.set(`arg:${spec.name} ${index}`, words);
    }
  }
  return table;
}

function addPath(table: Map<string, readonly string[]>, name: string): void {
  let above = '';
  for (const word of name.split(' ')) {
    const siblings = table.get(`sub:${above}`) ?? [];
    if (!siblings.includes(word)) table.set(`sub:${above}`, [...siblings, word]);
    above = above === '' ? word : `${above} ${word}`;
    table.set(`is:${above}`, []);
  }
}

function addOptions(table: Map<string, readonly string[]>, { name, options = {} }: CommandSpec): void {
  table.set(`opt:${name}`, [...Object.keys(options).map((option) => `--${option}`), ...GLOBAL_OPTIONS]);
  for (const [option, { type, choices = [] }] of Object.entries<OptionSpec>(options)) {
    if (type === 'string') table.set(`val:${name} --${option}`, choices);
  }
}

/** `CONTRACT [FILE…|-]`: a word in capitals names a kind, small words with | between them are the choices. */
function positionals(
  { name, positionals: shown = '' }: CommandSpec,
  known: ReadonlyMap<string, readonly string[]>,
  contracts: readonly string[],
): (readonly string[])[] {
  return shown.split(/\s+/).flatMap((part) => {
    const kinds = part.replace(/[[\]…]/g, '').split('|');
    const isChoice = kinds.length > 1 && kinds.every((kind) => /^[a-z0-9-]*[a-z0-9]$/.test(kind));
    const words = isChoice ? kinds : (known.get(kinds[0] ?? '') ?? (name === 'schema show' ? contracts : []));
    return part === '' ? [] : [words];
  });
}
