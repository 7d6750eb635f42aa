import { describe, expect, test } from 'vitest';
import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import type { AgentNeed } from './agent-definition.js';
import { creationPrompt } from './creation-prompt.js';
import { heuristicAgents } from './heuristic-agents.js';
import { readCreatedAgents } from './read-created-agents.js';

const ANALYSIS: CodebaseAnalysis = {
  primary_language: 'Go',
  framework: null,
  patterns: [],
  commands: { test: 'go test ./...' },
  naming: { files: 'snake_case', types: null, functions: null },
  confidence: 0.5,
  source: 'heuristics',
};
const NEEDS: readonly AgentNeed[] = [
  { name: 'go-specialist', description: 'Writes Go.', reason: 'Go is there', technologies: ['Go'], about: null },
  {
    name: 'test-writer',
    description: 'Writes tests.',
    reason: 'Tests are there',
    technologies: ['Go'],
    about: 'tests',
  },
];
const WHOLE = {
  name: 'go-specialist',
  description: 'Knows Go.',
  technologies: ['Go', 'gin'],
  priority: 10,
  body: '# Go',
};

const read = (agents: unknown) => readCreatedAgents(JSON.stringify({ agents }), NEEDS);

describe('created agents', () => {
  test('are taken as they were written', () => {
    expect(read([WHOLE])[0]).toEqual({ ...WHOLE, source: 'agent' });
  });

  test('that were not written are made from what is needed, in its order', () => {
    const [go, tests] = read([{ name: 'test-writer', body: '# Tests' }]);
    expect(go).toMatchObject({ name: 'go-specialist', description: 'Writes Go.', source: 'heuristics' });
    expect(go?.body).toContain('Go is there');
    expect(tests).toMatchObject({
      name: 'test-writer',
      description: 'Writes tests.',
      body: '# Tests',
      source: 'agent',
    });
  });

  test('that nobody asked for are left out', () => {
    expect(read([WHOLE, { name: 'spy', body: 'x' }]).map(({ name }) => name)).toEqual(['go-specialist', 'test-writer']);
  });

  test.each([
    ['---\nname: other\n---\n\n# Go', '# Go'],
    ['---\n# Go', '# Go'],
  ])('have no front matter of their own', (body, kept) => {
    expect(read([{ ...WHOLE, body }])[0]?.body).toBe(kept);
  });
});

test.each([
  ['no agents', {}],
  ['a name that leads elsewhere', { agents: [{ ...WHOLE, name: '../../go-specialist' }] }],
  ['a name in capitals', { agents: [{ ...WHOLE, name: 'Go-Specialist' }] }],
  ['no text', { agents: [{ name: 'go-specialist' }] }],
  ['an absurd text', { agents: [{ ...WHOLE, body: 'x'.repeat(100_000) }] }],
  ['an absurd priority', { agents: [{ ...WHOLE, priority: 9_999 }] }],
  ['an entry that is a text', { agents: ['go-specialist'] }],
])('are refused with %s', (_, answer) => {
  expect(() => readCreatedAgents(JSON.stringify(answer), NEEDS)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR' }),
  );
});

test.each([
  ['the same name twice', [WHOLE, WHOLE]],
  ['nobody who is needed', [{ ...WHOLE, name: 'spy' }]],
])('are refused with %s', (_, agents) => {
  expect(() => read(agents)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

test('without an agent every need gets a text with what is known', () => {
  const agents = heuristicAgents(ANALYSIS, NEEDS);
  expect(agents.map(({ name, priority }) => [name, priority])).toEqual([
    ['go-specialist', 9],
    ['test-writer', 8],
  ]);
  expect(agents[0]?.body).toContain('`go test ./...`');
  expect(agents[0]?.body).toContain('Names of files: snake_case');
});

test('the prompt names the needs and the form', () => {
  const prompt = creationPrompt(ANALYSIS, NEEDS, []);
  for (const word of ['go-specialist', 'test-writer', '"agents"', '"body"', '"priority"'])
    expect(prompt).toContain(word);
});
