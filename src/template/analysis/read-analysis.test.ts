import { describe, expect, test } from 'vitest';
import type { CodebaseAnalysis } from './codebase-analysis.js';
import { readAnalysis } from './read-analysis.js';

const HEURISTICS: CodebaseAnalysis = {
  primary_language: 'JavaScript',
  framework: 'Express',
  patterns: ['Service'],
  frameworks: ['Express'],
  layers: [{ name: 'domain', folders: ['src/domain'], files: 7 }],
  test_framework: 'Jest',
  build_tool: 'npm',
  exemplars: ['a.js'],
  files: 12,
  confidence: 0.6,
  source: 'heuristics',
};

const read = (answer: object) => readAnalysis(JSON.stringify(answer), HEURISTICS);

test("[R221] the document's answer gives the language, and the rest is what heuristics found", () => {
  const answer = { technology_stack: { primary_language: 'C#', confidence: 0.95 }, overall_confidence: 0.92 };
  expect(read(answer)).toEqual({ ...HEURISTICS, primary_language: 'C#', confidence: 0.92, source: 'agent' });
});

test('a whole answer replaces what heuristics found', () => {
  const answer = {
    technology_stack: {
      primary_language: 'C#',
      frameworks: ['.NET MAUI', 'ErrorOr'],
      test_framework: 'xUnit',
      build_tool: 'dotnet',
    },
    architecture: { patterns: ['MVVM'], layers: [{ name: 'Domain' }, { name: 'ui', folders: ['src/ui/'] }, 'tests'] },
    exemplars: ['src/ui/page.cs'],
    overall_confidence: 0.9,
  };
  expect(read(answer)).toEqual({
    ...HEURISTICS,
    primary_language: 'C#',
    framework: '.NET MAUI',
    frameworks: ['.NET MAUI', 'ErrorOr'],
    patterns: ['MVVM'],
    layers: [
      { name: 'Domain', folders: ['src/domain'], files: 7 },
      { name: 'ui', folders: ['src/ui'], files: 0 },
      { name: 'tests', folders: [], files: 0 },
    ],
    test_framework: 'xUnit',
    build_tool: 'dotnet',
    exemplars: ['src/ui/page.cs'],
    confidence: 0.9,
    source: 'agent',
  });
});

test('an answer about one part leaves the other to the heuristics', () => {
  const { primary_language, patterns } = read({ architecture: { patterns: ['MVVM'] } });
  expect({ primary_language, patterns }).toEqual({ primary_language: 'JavaScript', patterns: ['MVVM'] });
});

describe('the confidence of an answer', () => {
  test.each([
    ['of the whole', { overall_confidence: 0.5, technology_stack: { confidence: 0.9 } }, 0.5],
    [
      'else the lower one of its parts',
      { technology_stack: { confidence: 0.9 }, architecture: { confidence: 0.7 } },
      0.7,
    ],
    ['is zero when it says so', { technology_stack: {}, overall_confidence: 0 }, 0],
    ['is absent when nothing was said', { technology_stack: {} }, null],
  ])('%s', (_, answer, confidence) => {
    expect(read(answer).confidence).toBe(confidence);
  });
});

const outside = (folder: string) => ({ architecture: { layers: [{ name: 'x', folders: [folder] }] } });

test.each([
  ['neither part', { overall_confidence: 0.9 }],
  ['a part that is a text', { technology_stack: 'C#' }],
  ['a language that is a list', { technology_stack: { primary_language: ['C#'] } }],
  ['a name of absurd length', { technology_stack: { frameworks: ['x'.repeat(10_000)] } }],
  ['absurdly many names', { architecture: { patterns: Array.from({ length: 1_000 }, (_, n) => `p${n}`) } }],
  ['a confidence above 1', { technology_stack: {}, overall_confidence: 92 }],
  ['a layer without a name', { architecture: { layers: [{ folders: ['src'] }] } }],
])('is refused: %s', (_, answer) => {
  expect(() => read(answer)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

test.each([
  ['a folder outside', outside('../../etc')],
  ['an absolute folder', outside('/etc')],
  ['a folder of git', outside('.git/hooks')],
  ['an exemplar outside', { technology_stack: {}, exemplars: ['../secret.ts'] }],
])('is refused: %s', (_, answer) => {
  expect(() => read(answer)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

test('control characters are taken out of names', () => {
  expect(read({ technology_stack: { primary_language: 'C\u202e#\u001b[0m' } }).primary_language).toBe('C#[0m');
});
