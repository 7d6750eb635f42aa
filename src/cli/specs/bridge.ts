import type { CommandSpec, OptionSpec } from '../command.js';

const DIR: OptionSpec = { type: 'string', value: 'DIR', help: 'Where the three files lie; default this folder' };
const ANSWERING: Readonly<Record<string, OptionSpec>> = {
  agent: {
    ...{ type: 'string', multiple: true, value: 'NAME=AGENT' },
    help: 'Which agent answers for a name; AGENT alone answers for every other',
  },
  profile: { type: 'string', value: 'NAME', help: 'Take the names of this workflow only, such as template-create' },
  project: { type: 'string', value: 'NAME', help: 'Who pays; default the name of the folder' },
};

/** In the order of the help. */
export const bridgeSpecs: readonly CommandSpec[] = [
  {
    ...{ name: 'bridge run', summary: 'Run an orchestrator, and let agents answer when it exits with 42' },
    ...{ positionals: '-- CMD ARGS…', arity: { min: 1, max: Number.POSITIVE_INFINITY } },
    options: { ...ANSWERING, dir: DIR },
    examples: [
      'baton bridge run --agent architectural-reviewer=claude -- python3 orchestrate.py',
      'baton bridge run --agent claude --dir ../project -- ./orchestrate.sh --fast',
    ],
  },
  {
    ...{ name: 'bridge watch', summary: 'Answer the requests of orchestrators that others start' },
    ...{ positionals: '[DIR…]', arity: { min: 0, max: 1_000 }, options: { ...ANSWERING, dir: DIR } },
    examples: ['baton bridge watch --agent claude', 'baton bridge watch --agent codex ../one ../two'],
  },
  {
    ...{ name: 'bridge respond', summary: 'Answer the request that waits, with text from standard input' },
    ...{ positionals: '[FILE|-]', arity: { min: 0, max: 1 }, options: { dir: DIR } },
    examples: [
      `echo '{"technology_stack":{"primary_language":"Go"}}' | baton bridge respond`,
      'baton bridge respond --dir ../project answer.txt',
    ],
  },
  {
    ...{ name: 'bridge status', summary: 'Show who has the baton, the three files and what is next' },
    ...{ options: { dir: DIR }, examples: ['baton bridge status', 'baton bridge status --dir ../project --json'] },
  },
  {
    ...{ name: 'bridge cleanup', summary: 'Remove the three files and begin anew next time' },
    ...{ options: { dir: DIR }, examples: ['baton bridge cleanup', 'baton bridge cleanup --dir ../project'] },
  },
];
