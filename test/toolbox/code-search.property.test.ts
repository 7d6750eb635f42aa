import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Bench } from './bench.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

const part = fc.stringMatching(/^[ab.*é😀 -]{0,6}$/u);
const text = fc
  .array(part, { maxLength: 8 })
  .chain((lines) => fc.constantFrom(lines.join('\n'), `${lines.join('\n')}\n`));
const name = fc.stringMatching(/^[a-c]{1,3}\.txt$/);
const query = fc.stringMatching(/^[ab.*é -]{1,3}$/u);

test('finds what grep -n -F finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, text, { minKeys: 1, maxKeys: 4 }), query, async (files, wanted) => {
      bench.close();
      bench = new Bench();
      for (const [file, content] of Object.entries(files)) bench.write(file, content);
      const { matches } = await bench.gives('code_search', { query: wanted, max_results: 500 });
      const names = Object.keys(files).sort();
      const { stdout } = spawnSync('grep', ['-nHF', '-e', wanted, '--', ...names], {
        cwd: bench.folder,
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      });
      const found = stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [, path = '', number = '', content = ''] = /^([^:]+):(\d+):(.*)$/s.exec(line) ?? [];
          return { path, line: Number(number), text: content.trim() };
        });
      expect(matches).toEqual(found);
    }),
    { numRuns: 40 },
  );
});
