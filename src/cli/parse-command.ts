import { type ParseArgsConfig, parseArgs } from 'node:util';
import { BatonError } from '../contracts/shared/errors.js';
import { nearest } from '../core/kernel/edit-distance.js';
import type { CommandSpec, OptionSpec, Parsed } from './command.js';

/** Options every command has. */
export const GLOBAL_OPTIONS = {
  json: { type: 'boolean', help: 'Print one JSON value and nothing else' },
  help: { type: 'boolean', help: 'Show how the command is called' },
} as const satisfies Record<string, OptionSpec>;

const WORDS_MAX = 3;

/** The command whose words begin argv; the longest name wins. */
export function findCommand(argv: readonly string[], specs: readonly CommandSpec[]): CommandSpec | undefined {
  for (let words = Math.min(WORDS_MAX, argv.length); words > 0; words -= 1) {
    const name = argv.slice(0, words).join(' ');
    const spec = specs.find((candidate) => candidate.name === name);
    if (spec) return spec;
  }
  return undefined;
}

/** Commands whose first word is this one and that have more words, such as `job list` of `job`. */
export function commandsOf(group: string, specs: readonly CommandSpec[]): CommandSpec[] {
  return specs.filter(({ name }) => name.startsWith(`${group} `));
}

export function unknownCommand(argv: readonly string[], specs: readonly CommandSpec[]): BatonError {
  const [first = '', second] = argv;
  const isGroup = commandsOf(first, specs).length > 0;
  const hint = isGroup ? `List its commands: baton ${first} --help` : 'List all commands: baton help';
  if (isGroup && second === undefined)
    return new BatonError('USAGE', `baton ${first} takes a command of its own.`, undefined, hint);
  const suggestion = meant(first, second, specs);
  const tried = second === undefined || second.startsWith('-') ? first : `${first} ${second}`;
  const offer = suggestion ? ` Did you mean: ${suggestion}?` : '';
  return new BatonError('USAGE', `Unknown command: ${tried}.${offer}`, suggestion ? { suggestion } : undefined, hint);
}

/** The nearest first word, and of its commands the nearest to the second. */
function meant(first: string, second: string | undefined, specs: readonly CommandSpec[]): string | undefined {
  const word = nearest(first, [...new Set(specs.map(({ name }) => name.split(' ')[0] ?? name))]);
  if (word === undefined || specs.some(({ name }) => name === word)) return word;
  if (second === undefined) return `${word} --help`;
  return nearest(
    `${word} ${second}`,
    commandsOf(word, specs).map(({ name }) => name),
  );
}

export function parseWords(spec: CommandSpec, words: readonly string[]): Parsed {
  const options = { ...spec.options, ...GLOBAL_OPTIONS };
  let result: { values: Parsed['values']; positionals: string[] };
  try {
    const given = parseArgs({
      args: withAlone(words, options),
      options: parserOptions(options),
      allowPositionals: true,
      strict: true,
    });
    result = { values: given.values as Parsed['values'], positionals: given.positionals };
  } catch (failure) {
    throw new BatonError('USAGE', usageReason(spec, failure as Error, Object.keys(options)));
  }
  const { values, positionals } = result;
  if (!values.help) {
    checkArity(spec, positionals);
    for (const [name, { choices }] of Object.entries<OptionSpec>(options)) {
      const value = values[name];
      if (choices && typeof value === 'string' && !choices.includes(value)) {
        throw new BatonError('USAGE', `--${name} takes ${choices.join(', ')}, not ${JSON.stringify(value)}`);
      }
    }
  }
  return { values, positionals };
}

/** An option that may stand without a value, and does: at the end, or before another option. */
function withAlone(words: readonly string[], options: Readonly<Record<string, OptionSpec>>): string[] {
  return words.flatMap((word, index) => {
    const alone = word.startsWith('--') ? options[word.slice(2)]?.alone : undefined;
    const next = words[index + 1];
    const stands = alone !== undefined && (next === undefined || next.startsWith('-'));
    return stands ? [word, alone] : [word];
  });
}

function parserOptions(options: Readonly<Record<string, OptionSpec>>): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple, short }]) => [
      name,
      { type, multiple: multiple ?? false, ...(short && { short }) },
    ]),
  );
}

function checkArity(spec: CommandSpec, positionals: readonly string[]): void {
  const { min, max } = spec.arity ?? { min: 0, max: 0 };
  if (positionals.length >= min && positionals.length <= max) return;
  const wanted = spec.positionals ? `takes ${spec.positionals}` : 'takes no arguments';
  throw new BatonError('USAGE', `baton ${spec.name} ${wanted}; ${positionals.length} given`);
}

function usageReason(spec: CommandSpec, failure: Error, names: readonly string[]): string {
  const unknown = /Unknown option '(--?[^']+)'/.exec(failure.message)?.[1];
  if (!unknown) return `baton ${spec.name}: ${failure.message.split('.')[0]}`;
  const suggestion = nearest(unknown.replace(/^-+/, ''), names);
  return `baton ${spec.name} has no option ${unknown}.${suggestion ? ` Did you mean: --${suggestion}?` : ''}`;
}
