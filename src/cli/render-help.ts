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

export function renderHelp(spec: CommandSpec): string {
  const { json, help } = GLOBAL_OPTIONS;
  const common = { json: { ...json, help: spec.json ?? json.help }, help };
  const options = Object.entries<OptionSpec>({ ...spec.options, ...common }).map(
    ([name, option]) =>
      [
        `${option.short ? `-${option.short}, ` : ''}--${name}${option.value ? ` ${option.choices?.join('|') ?? option.value}` : ''}`,
        option.help,
      ] as const,
  );
  const usage = ['baton', spec.name, spec.positionals, spec.options && '[options]'].filter(Boolean).join(' ');
  return `${[usage, `  ${spec.summary}.`, '', columns(options), '', 'Examples', ...spec.examples.map((line) => `  ${line}`)].join('\n')}\n`;
}

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
