import type { CommandSpec } from '../command.js';

/** All of them read JSON and write JSON, refusals included. */
const ONE_FILE = { positionals: '[FILE|-]', arity: { min: 0, max: 1 } };

/** In the order of the help. */
export const envelopeSpecs: readonly CommandSpec[] = [
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
