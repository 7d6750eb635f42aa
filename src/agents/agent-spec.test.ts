import { describe, expect, test } from 'vitest';
import { builtInSpec, parseAgentSpec } from './agent-spec.js';

const parsed = (registration: object) => parseAgentSpec({ id: 'a', ...registration }, { folder: '/home/u/project' });

describe('a registration', () => {
  test.each<[object, object]>([
    [
      { adapter: 'command', command: 'node worker.mjs "two words"' },
      { adapter: 'command', argv: ['node', 'worker.mjs', 'two words'], env: [], sandbox: 'workspace-write' },
    ],
    [
      { adapter: 'command', command: ['./run', './here'], sandbox: 'read-only', env: ['MY_KEY'] },
      { adapter: 'command', argv: ['/home/u/project/run', './here'], env: ['MY_KEY'], sandbox: 'read-only' },
    ],
    [
      { adapter: 'scripted', file: 'answers.json' },
      { adapter: 'scripted', file: '/home/u/project/answers.json' },
    ],
    [{ adapter: 'human' }, { adapter: 'human' }],
  ])('%j becomes a spec', (registration, spec) => {
    expect(parsed(registration)).toEqual(spec);
  });

  test.each<[object, string, string]>([
    [{ adapter: 'command' }, 'MISSING_REQUIRED_INPUT', '/command is missing'],
    [{ adapter: 'command', command: "a 'b" }, 'SCHEMA_INVALID', 'the command has no end'],
    [{ adapter: 'command', command: ['a\nb'] }, 'SCHEMA_INVALID', 'line break in the name'],
    [{ adapter: 'command', command: 'a', env: ['BATON_TOKEN'] }, 'SCHEMA_INVALID', '/env/0 is a variable of Baton'],
    [{ adapter: 'command', command: 'a', env: ['A', 'B C'] }, 'SCHEMA_INVALID', '/env/1 does not match'],
    [{ adapter: 'command', command: 'a', env: 'A' }, 'SCHEMA_INVALID', '/env must be array'],
    [{ adapter: 'scripted' }, 'MISSING_REQUIRED_INPUT', '/file is missing'],
    [{ adapter: 'bridge', dir: 'd' }, 'SCHEMA_INVALID', 'the adapter bridge is not part of this release'],
    [{ adapter: 'magic' }, 'SCHEMA_INVALID', '/adapter must be one of'],
    [{ adapter: 'human', id: 'a b' }, 'SCHEMA_INVALID', '/id does not match'],
  ])('%j is refused', (registration, code, reason) => {
    expect(() => parsed(registration)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(reason) }),
    );
  });
});

test('some agents need no registration', () => {
  expect(builtInSpec('human')).toEqual({ adapter: 'human' });
  expect(builtInSpec('scripted:/tmp/a b.json')).toEqual({ adapter: 'scripted', file: '/tmp/a b.json' });
  expect(builtInSpec('worker')).toBeUndefined();
});
