import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import { scanProject } from '../project/scan-project.js';
import { chooseFiles } from './choose-files.js';

const root = mkdtempSync(path.join(tmpdir(), 'baton-choose-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ANALYSIS: CodebaseAnalysis = {
  primary_language: 'TypeScript',
  framework: null,
  patterns: ['Repository'],
  layers: [
    { name: 'domain', folders: ['src/domain'], files: 4 },
    { name: 'data', folders: ['src/data'], files: 2 },
  ],
  exemplars: ['src/domain/d0.ts'],
  confidence: null,
  source: 'heuristics',
};

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
}

write({
  'package.json': '{ "name": "many" }',
  'README.md': '# Many',
  'src/index.ts': ['d0', 'd1', 'd2', 'd3'].map((name) => `import './domain/${name}.js';`).join('\n'),
  'src/domain/d0.ts': "import '../data/row-repository.js';",
  'src/domain/d1.ts': '',
  'src/domain/d2.ts': '',
  'src/domain/d3.ts': '',
  'src/data/row-repository.ts': "import './rows.js';",
  'src/data/rows.ts': '',
  'test/d0.test.ts': "import '../src/domain/d0.js'; import './kit.js';",
  'test/kit.ts': '',
});

describe('files of a template are', () => {
  test('all, when they are few', async () => {
    const project = await scanProject(root);
    const { paths, whole } = chooseFiles(project, ANALYSIS);
    expect({ whole, count: paths.length }).toEqual({ whole: true, count: project.files.length });
  });

  test('else those that show how it is done, with what they import and their tests', async () => {
    const chosen = chooseFiles(await scanProject(root), ANALYSIS, {
      limits: { filesMax: 7, bytesMax: 100_000 },
    });
    expect(chosen).toEqual({
      paths: [
        ...['README.md', 'package.json', 'src/data/row-repository.ts', 'src/data/rows.ts', 'src/domain/d0.ts'],
        ...['test/d0.test.ts', 'test/kit.ts'],
      ],
      whole: false,
      secret: [],
    });
  });

  test('never half of what a file needs', async () => {
    const { paths } = chooseFiles(await scanProject(root), ANALYSIS, { limits: { filesMax: 4, bytesMax: 100_000 } });
    expect(paths).not.toContain('src/domain/d0.ts');
    expect(paths).not.toContain('src/index.ts');
    expect(paths).toContain('src/data/rows.ts');
  });

  test('bounded in bytes too', async () => {
    const { paths } = chooseFiles(await scanProject(root), ANALYSIS, { limits: { filesMax: 400, bytesMax: 40 } });
    expect(paths).not.toContain('src/index.ts');
  });
});
