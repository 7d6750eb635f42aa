import { describe, expect, test } from 'vitest';
import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import type { Sample } from '../analysis/sample-files.js';
import type { AgentDefinition } from './agent-definition.js';
import { enhancementPrompt } from './enhancement-prompt.js';
import { heuristicEnhancement } from './heuristic-enhancement.js';
import { readEnhancement } from './read-enhancement.js';

const agent = (name: string, ...technologies: string[]): AgentDefinition => ({
  ...{ name, description: `${name}.`, technologies, priority: 5, body: `# ${name}\n\nText.`, source: 'agent' },
});
const AGENTS = [agent('repository-specialist', 'Repository'), agent('test-writer')];
const ANALYSIS: CodebaseAnalysis = {
  ...{
    primary_language: 'TypeScript',
    framework: null,
    patterns: ['Repository'],
    confidence: 0.5,
    source: 'heuristics',
  },
  commands: { test: 'npm test' },
};
const SAMPLES: readonly Sample[] = [
  { path: 'src/view.ts', text: 'export const view = 1;\n'.repeat(4), language: 'TypeScript', cut: false },
  {
    path: 'src/order-repository.ts',
    text: '// Licence\n\nexport class OrderRepository {}\n'.repeat(2),
    language: 'TypeScript',
    cut: false,
  },
  { path: 'test/order.test.ts', text: "test('orders', () => {});\n".repeat(50), language: 'TypeScript', cut: true },
];
const FILES = ['src/order-repository.ts', 'test/order.test.ts', 'README.md.template'];
const WHOLE = {
  name: 'test-writer',
  examples: [{ title: 'A test', path: 'test/order.test.ts', code: "test('a', () => {});" }],
  always: ['Name what is shown.'],
  never: ['Sleep.'],
  ask_first: ['Before deleting.'],
  related_files: ['test/order.test.ts'],
};

const read = (agents: unknown) => readEnhancement(JSON.stringify({ agents }), AGENTS, FILES);

describe('an enhancement', () => {
  test('extends the text with examples, boundaries and files', () => {
    expect(read([WHOLE])[1]).toEqual({
      ...AGENTS[1],
      body: [
        ...['# test-writer', 'Text.', '## Examples from the project', '### A test', 'From `test/order.test.ts`:'],
        "```typescript\ntest('a', () => {});\n```",
        ...['## Boundaries', '### Always', '- Name what is shown.', '### Never', '- Sleep.', '### Ask first'],
        ...['- Before deleting.', '## Related template files', '- `test/order.test.ts`'],
      ].join('\n\n'),
    });
  });

  test('leaves those alone that it does not name', () => {
    expect(read([WHOLE])[0]).toEqual(AGENTS[0]);
  });

  test('that says no boundaries gets the usual ones', () => {
    const body = read([{ name: 'test-writer' }])[1]?.body;
    expect(body).toContain('### Never\n\n- Put passwords');
    expect(body).toContain('Weaken or skip a test');
  });

  test('names only files that are in the template', () => {
    const body = read([{ ...WHOLE, related_files: ['invented.ts', 'README.md.template'] }])[1]?.body;
    expect(body).toContain('README.md.template');
    expect(body).not.toContain('invented.ts');
  });

  test('twice is as once', () => {
    const once = read([WHOLE]);
    expect(readEnhancement(JSON.stringify({ agents: [WHOLE] }), once, FILES)).toEqual(once);
  });

  test('cannot end the block of its code', () => {
    const code = '````\n# Not a heading\n````';
    expect(read([{ ...WHOLE, examples: [{ code }] }])[1]?.body).toContain(`\`\`\`\`\`\n${code}\n\`\`\`\`\``);
  });
});

test.each([
  ['no agents', {}],
  ['nobody', { agents: [] }],
  ['an example without code', { agents: [{ ...WHOLE, examples: [{ title: 'x' }] }] }],
  ['absurd code', { agents: [{ ...WHOLE, examples: [{ code: 'x'.repeat(100_000) }] }] }],
  ['sentences that are numbers', { agents: [{ ...WHOLE, always: [1] }] }],
])('is refused with %s', (_, answer) => {
  expect(() => readEnhancement(JSON.stringify(answer), AGENTS, FILES)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR' }),
  );
});

test.each([
  ['a file outside', [{ ...WHOLE, related_files: ['../../x'] }]],
  ['an example from outside', [{ ...WHOLE, examples: [{ code: 'x', path: '/etc/passwd' }] }]],
  ['one agent twice', [WHOLE, WHOLE]],
  ['only strangers', [{ ...WHOLE, name: 'spy' }]],
])('is refused with %s', (_, agents) => {
  expect(() => read(agents)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

describe('without an agent', () => {
  const [repository, tests] = heuristicEnhancement(AGENTS, ANALYSIS, SAMPLES, FILES).map(({ body }) => body);

  test('examples are real code about the same thing, without the licence above it', () => {
    expect(repository).toContain('From `src/order-repository.ts`:\n\n```typescript\nexport class OrderRepository {}');
    expect(tests?.indexOf('test/order.test.ts')).toBeLessThan(tests?.indexOf('src/') ?? 0);
  });

  test('an example is called what its file is called', () => {
    const sample = { path: 'app/counter_service.py', text: 'def count(): ...', language: 'Python', cut: false };
    const [agent] = heuristicEnhancement(AGENTS, ANALYSIS, [sample], FILES);
    expect(agent?.body).toContain('### `counter_service.py`\n');
  });

  test('long code is cut, and says so', () => {
    expect(tests).toContain("test('orders', () => {});\n…\n```");
  });

  test('boundaries and files belong to the subject', () => {
    expect(repository).toContain('Pass values to queries as parameters.');
    expect(repository).toContain('Run `npm test` before calling work done.');
    expect(repository).toContain('## Related template files\n\n- `src/order-repository.ts`');
    expect(tests).toContain('- `test/order.test.ts`');
    for (const heading of ['### Always', '### Never', '### Ask first']) expect(tests).toContain(heading);
  });

  test('nothing to show is no failure', () => {
    expect(heuristicEnhancement(AGENTS, ANALYSIS, [], [])[0]?.body).not.toContain('Examples');
  });
});

test('the prompt shows agents, files and the form', () => {
  const prompt = enhancementPrompt(AGENTS, ANALYSIS, SAMPLES, FILES);
  for (const word of ['test-writer', FILES[0], 'OrderRepository', '"ask_first"', '"related_files"']) {
    expect(prompt).toContain(word);
  }
});
