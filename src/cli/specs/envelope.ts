import type { CommandSpec, OptionSpec } from '../command.js';

/** All of them read JSON and write JSON, refusals included. */
const ONE_FILE = { positionals: '[FILE|-]', arity: { min: 0, max: 1 } };

const PROCESSING: Readonly<Record<string, OptionSpec>> = {
  pipeline: { type: 'string', value: 'FILE|NAME', help: 'The stages; default the six of contract 002' },
  agent: { type: 'string', value: 'AGENT', help: 'Who answers stages that name nobody' },
  repo: { type: 'string', value: 'DIR', help: 'Where tools look; default the repository around this folder' },
  project: { type: 'string', value: 'NAME', help: 'Who pays; default the name of the repository' },
};

/** In the order of the help. */
export const envelopeSpecs: readonly CommandSpec[] = [
  {
    ...{ name: 'envelope process', summary: 'Pass an envelope through its stages until it rests', ...ONE_FILE },
    options: { ...PROCESSING, lines: { type: 'boolean', help: 'One envelope a line in, one a line out, in order' } },
    examples: [
      'baton envelope process --agent claude < envelope.json',
      'baton envelope process --pipeline code-analysis --agent model --repo . envelope.json',
      'baton envelope process --lines --agent model < many.ndjson > done.ndjson',
    ],
  },
  {
    ...{ name: 'envelope step', summary: 'The same, one stage only', ...ONE_FILE, options: PROCESSING },
    examples: ['baton envelope step --agent claude envelope.json'],
  },
  {
    ...{ name: 'envelope create', summary: 'Make a new envelope from {"raw_input": …}', ...ONE_FILE },
    examples: [
      `echo '{"raw_input":"How does login work?"}' | baton envelope create`,
      'baton envelope create question.json > envelope.json',
    ],
  },
  {
    ...{ name: 'envelope can-continue', summary: 'Say whether another stage may begin', ...ONE_FILE },
    examples: ['baton envelope can-continue envelope.json', 'baton envelope can-continue < envelope.json'],
  },
  {
    ...{ name: 'envelope result', summary: 'Show the answer of an envelope, or what it waits for', ...ONE_FILE },
    examples: ['baton envelope result envelope.json'],
  },
  {
    ...{ name: 'envelope validate', summary: 'Check an envelope against the printed schema', ...ONE_FILE },
    options: { strict: { type: 'boolean', help: 'Refuse unknown fields that do not begin with x_' } },
    examples: ['baton envelope validate envelope.json', 'baton envelope validate --strict < envelope.json'],
  },
];
