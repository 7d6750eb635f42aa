import { expect, test } from 'vitest';
import type { CommandSpec } from './command.js';
import { parseWords } from './parse-command.js';

const SPEC: CommandSpec = {
  ...{ name: 'chat', summary: '', positionals: '[PROMPT]', arity: { min: 0, max: 1 }, examples: [] },
  options: {
    resume: { type: 'string', value: 'ID', alone: 'LAST', help: '' },
    model: { type: 'string', value: 'M', help: '' },
  },
};

test('an option that may stand without a value means its usual one then', () => {
  const values = (...words: string[]) => ({ ...parseWords(SPEC, words).values });
  expect(values('--resume')).toMatchObject({ resume: 'LAST' });
  expect(values('--resume', '--model', 'm')).toMatchObject({ resume: 'LAST', model: 'm' });
  expect(values('--resume', 'work-1')).toMatchObject({ resume: 'work-1' });
  expect(values('--resume=work-1')).toMatchObject({ resume: 'work-1' });
  expect(() => values('--model')).toThrow(/argument missing/);
});
