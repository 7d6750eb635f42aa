import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { AgentDefinition } from '../agents/agent-definition.js';
import { agentFile, agentFileNames, readAgentFile } from './agent-file.js';

const AGENT: AgentDefinition = {
  name: 'repository-specialist',
  description: 'Knows repositories',
  technologies: ['TypeScript'],
  priority: 7,
  body: '# Repository specialist\n\nUse it well.',
  source: 'agent',
};

describe('an agent as a file', () => {
  test('has front matter and a body', () => {
    expect(agentFile(AGENT, 'repository-specialist.md')).toBe(
      '---\nname: repository-specialist\ndescription: Knows repositories\ntechnologies:\n  - TypeScript\npriority: 7\n' +
        'source: agent\n---\n\n# Repository specialist\n\nUse it well.\n',
    );
  });

  test.each([
    'a: b\n---\ntools: [all]\n---',
    '"quoted" & *alias !tag | > %',
    "---\nname: other\n---\n'",
    '\u0000\u001b[2J\u202egnp.exe',
    '{{baton.project_name}}',
  ])('stays what it is with the text %j', (text) => {
    const file = agentFile({ ...AGENT, description: text, technologies: [text], body: text }, 'x.md');
    const { name, description } = readAgentFile(file, 'x.md');
    expect(name).toBe('x');
    const unseen = ['\u0000', '\u001b', '\u202e'];
    const seen = [...text].filter((character) => !unseen.includes(character)).join('');
    expect(description).toBe(seen.replaceAll(/\s+/g, ' ').trim());
    expect(Object.keys(parse(file.split('\n---\n')[0]?.slice(4) ?? ''))).toEqual([
      ...['name', 'description', 'technologies', 'priority', 'source'],
    ]);
  });

  test('has a safe name of its own', () => {
    const named = (...names: string[]) => agentFileNames(names.map((name) => ({ ...AGENT, name })));
    expect(named('../../etc/passwd', 'A b', 'a-b', '…', 'x'.repeat(300))).toEqual([
      ...['etc-passwd.md', 'a-b.md', 'a-b-2.md', 'agent-4.md', `${'x'.repeat(64)}.md`],
    ]);
  });

  test.each(['no front matter', '---\nname: [\n---\n', '---\n- a\n---\n', '---\nname: a\n---\n'])(
    'is refused as %j',
    (text) => {
      expect(() => readAgentFile(text, 'agents/a.md')).toThrow(/agents\/a\.md/);
    },
  );
});
