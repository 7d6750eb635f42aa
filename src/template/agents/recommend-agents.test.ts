import { describe, expect, test } from 'vitest';
import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import { isAgentName } from './agent-name.js';
import { recommendAgents } from './recommend-agents.js';

/** As the state of the document has it: nothing but the first three is there. */
const DOCUMENT: CodebaseAnalysis = {
  primary_language: 'C#',
  framework: '.NET MAUI',
  patterns: ['MVVM', 'ErrorOr', 'Repository'],
  confidence: null,
  source: 'agent',
};
const NOTHING: CodebaseAnalysis = { ...DOCUMENT, primary_language: null, framework: null, patterns: [] };

const namesOf = (analysis: CodebaseAnalysis, existing: readonly string[] = []) =>
  recommendAgents(analysis, existing).map(({ name }) => name);

describe('agents are recommended', () => {
  test('from the analysis of the document alone', () => {
    expect(namesOf(DOCUMENT, ['architectural-reviewer', 'code-reviewer', 'test-verifier'])).toEqual([
      'dotnet-maui-specialist',
      'mvvm-specialist',
      'erroror-specialist',
      'repository-specialist',
      'test-writer',
      'csharp-specialist',
      'documentation-writer',
      'refactoring-specialist',
    ]);
  });

  test('for the layers that matter', () => {
    const layers = [
      { name: 'domain', folders: ['src/domain'], files: 9 },
      { name: 'data', folders: ['src/db'], files: 1 },
    ];
    const names = namesOf({ ...NOTHING, layers });
    expect(names).toContain('domain-model-specialist');
    expect(names).not.toContain('data-access-specialist');
  });

  test('at least two, whatever is known', () => {
    expect(namesOf(NOTHING).length).toBeGreaterThanOrEqual(2);
  });

  test('at most eight, with names that are safe and different', () => {
    const layers = ['domain', 'api', 'data', 'cli', 'jobs'].map((name) => ({ name, folders: [name], files: 5 }));
    const patterns = ['MVVM', '../../etc/passwd', 'C++', '名前', 'MVVM '];
    const names = namesOf({ ...DOCUMENT, patterns, layers, test_framework: 'xUnit' });
    expect(names).toHaveLength(8);
    expect(new Set(names).size).toBe(8);
    expect(names.every(isAgentName)).toBe(true);
    expect(names).toContain('etc-passwd-specialist');
  });

  test('never those that are there already, in whatever case of letters', () => {
    expect(namesOf(DOCUMENT, ['MVVM-Specialist ', 'test-writer'])).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:mvvm-specialist|test-writer)$/)]),
    );
  });

  test('the same again', () => {
    expect(recommendAgents(DOCUMENT, [])).toEqual(recommendAgents(DOCUMENT, []));
  });
});

test.each(['', 'A', 'a_b', 'a--b', '-a', 'a-', '../a', 'a/b', 'a.md', 'con', 'lpt1', '1a', 'a'.repeat(61), 'ä'])(
  'no name of an agent: %j',
  (name) => {
    expect(isAgentName(name)).toBe(false);
  },
);
