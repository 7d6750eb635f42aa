import type { CommandSpec, OptionSpec } from './command.js';
import { GLOBAL_OPTIONS } from './parse-command.js';

export function renderOverview(version: string, specs: readonly CommandSpec[]): string {
  const first = specs.filter((spec) => spec.first);
  const more = specs.filter((spec) => !spec.first);
  const sections = [
    `baton ${version} · hands work between orchestrators and AI agents and never drops it`,
    ...(first.length > 0 ? ['', table(first)] : []),
    '',
    first.length > 0 ? 'more' : 'commands',
    table(more),
    '',
    'How a command is called: baton COMMAND --help',
  ];
  return `${sections.join('\n')}\n`;
}

/** What begins with one word, such as `job`. */
export function renderGroup(group: string, specs: readonly CommandSpec[]): string {
  const lines = [`baton ${group} COMMAND`, '', table(specs), '', `How one is called: baton ${group} COMMAND --help`];
  return `${lines.join('\n')}\n`;
}

export function renderHelp(spec: CommandSpec): string {
  const { json, help } = GLOBAL_OPTIONS;
  const common = { json: { ...json, help: spec.json ?? json.help }, help };
  const options = Object.entries<OptionSpec>({ ...spec.options, ...common }).map(
    ([name, option]) =>
      [
        `${option.short ? `-${option.short}, ` : ''}--${name}${option.value ? ` ${valueWords(option)}` : ''}`,
        option.help,
      ] as const,
  );
  const usage = ['baton', spec.name, spec.positionals, spec.options && '[options]'].filter(Boolean).join(' ');
  const isOfJobs = spec.name.startsWith('job ') && NAMES_A_JOB.test(spec.positionals ?? '');
  const named = isOfJobs ? [...HOW_JOBS_ARE_NAMED, ''] : [];
  return `${[usage, `  ${spec.summary}.`, '', columns(options), '', ...named, 'Examples', ...spec.examples.map((line) => `  ${line}`)].join('\n')}\n`;
}

const CHOICES_LENGTH_MAX = 40;

function valueWords({ choices, value = '' }: OptionSpec): string {
  const all = choices?.join('|') ?? value;
  return all.length > CHOICES_LENGTH_MAX ? value : all;
}

const NAMES_A_JOB = /(^|\[)ID(\]|\||$| )/;
const HOW_JOBS_ARE_NAMED = [
  'ID may be a beginning that only one job has; LAST is the newest job of the repository around',
  'this folder.',
];

function table(specs: readonly CommandSpec[]): string {
  return columns(specs.map(({ name, summary }) => [name, summary] as const));
}

const LEFT_MAX = 26;

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(LEFT_MAX, Math.max(...rows.map(([left]) => left.length)));
  return rows
    .map(([left, right]) =>
      left.length <= width ? `  ${left.padEnd(width)}  ${right}` : `  ${left}\n  ${' '.repeat(width)}  ${right}`,
    )
    .join('\n');
}
