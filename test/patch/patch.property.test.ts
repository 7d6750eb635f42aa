import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeText } from '../../src/core/patch/change-text.js';
import { parsePatch } from '../../src/core/patch/parse-patch.js';
import { applyPlan } from '../../src/session/patch/apply-plan.js';
import { planPatch } from '../../src/session/patch/plan-patch.js';
import { readTree } from './tree.js';
import { asPatch, type Edited, edited, updatePart } from './write-patch.js';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(os.tmpdir(), 'baton-patch-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const changed = edited.filter(({ before, after }) => before !== after);

test('any edits of any text, written as a patch, give the edited text', () => {
  fc.assert(
    fc.property(changed, (one) => {
      const parsed = parsePatch(asPatch(updatePart('a.txt', one)));
      const change = 'changes' in parsed ? parsed.changes[0] : undefined;
      if (change?.type !== 'update') throw new Error(JSON.stringify(parsed));
      expect(changeText(one.before, change)).toEqual({ text: one.after });
    }),
    { numRuns: 3_000 },
  );
});

test('blanks at the ends of kept lines that a model lost or made up do not matter', () => {
  fc.assert(
    fc.property(changed, (one) => {
      const blurred = one.chunks.map((chunk) =>
        chunk.map((line) => (line.startsWith(' ') ? `${line.trimEnd()} \t` : line)),
      );
      // Where a line is not kept, or is only blank, its loosest form may stand elsewhere too.
      fc.pre(!one.chunks.flat().some((line) => line.slice(1).trim() === '' || line.startsWith('-')));
      const parsed = parsePatch(asPatch(updatePart('a.txt', { ...one, chunks: blurred })));
      const change = 'changes' in parsed ? parsed.changes[0] : undefined;
      if (change?.type !== 'update') throw new Error(JSON.stringify(parsed));
      expect(changeText(one.before, change)).toEqual({ text: one.after });
    }),
    { numRuns: 500 },
  );
});

type Damage = { kind: 'cut' | 'drop' | 'double' | 'swap' | 'sign' | 'insert'; at: number; sign: string };
const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('cut', 'drop', 'double', 'swap', 'sign', 'insert'),
  at: fc.nat(10_000),
  sign: fc.constantFrom('+', '-', ' ', '@', '*', '\n', '\r', '\0', '.', '/', 'x', '../', '*** Delete File: b/c.txt\n'),
});

function damaged(text: string, { kind, at, sign }: Damage): string {
  const place = at % (text.length + 1);
  const lines = text.split('\n');
  const line = at % lines.length;
  switch (kind) {
    case 'cut':
      return text.slice(0, place);
    case 'drop':
      return lines.toSpliced(line, 1).join('\n');
    case 'double':
      return lines.toSpliced(line, 0, lines[line] ?? '').join('\n');
    case 'swap':
      return lines.toSpliced(line, 2, lines[line + 1] ?? '', lines[line] ?? '').join('\n');
    case 'sign':
      return text.slice(0, place) + sign + text.slice(place + 1);
    case 'insert':
      return text.slice(0, place) + sign + text.slice(place);
  }
}

function renew(one: Edited, other: Edited): void {
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(path.join(cwd, 'b'), { recursive: true });
  writeFileSync(path.join(cwd, 'a.txt'), one.before);
  writeFileSync(path.join(cwd, 'b/c.txt'), other.before);
}

test('a damaged patch does all that was shown, or nothing', async () => {
  let applied = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(changed, changed, fc.array(damage, { maxLength: 3 }), async (one, other, harm) => {
      renew(one, other);
      const untouched = readTree(cwd);
      const whole = asPatch([
        ...updatePart('a.txt', one),
        ...updatePart('b/c.txt', other),
        '*** Add File: d/e.txt',
        '+new',
      ]);
      const plan = await planPatch({ text: harm.reduce(damaged, whole), cwd });
      const outcome = 'fault' in plan ? { applied: false } : await applyPlan(plan, { cwd });
      if (!outcome.applied || 'fault' in plan) {
        refused += 1;
        expect(readTree(cwd)).toEqual(untouched);
        return;
      }
      applied += 1;
      expectAsShown(plan.files, untouched);
    }),
    { numRuns: 300 },
  );
  expect(Math.min(applied, refused), `${applied} applied, ${refused} refused`).toBeGreaterThan(20);
});

type Files = readonly { path: string; content: string | null }[];

function expectAsShown(files: Files, untouched: Record<string, string>): void {
  const now = readTree(cwd);
  const names = new Set(files.map((file) => path.relative(cwd, file.path)));
  for (const { path: place, content } of files) {
    const name = path.relative(cwd, place);
    if (content === null) expect(now).not.toHaveProperty([name]);
    else expect(readFileSync(place, 'utf8')).toBe(content);
  }
  const others = (tree: Record<string, string>) =>
    Object.fromEntries(Object.entries(tree).filter(([name, what]) => !names.has(name) && !what.startsWith('folder')));
  expect(others(now)).toEqual(others(untouched));
}
