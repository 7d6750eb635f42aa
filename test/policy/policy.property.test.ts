import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeLine } from '../../src/core/policy/judge-line.js';
import type { KnownRule, Ruling } from '../../src/core/policy/rule.js';
import { createShellReader } from '../../src/sandbox/shell/create-shell-reader.js';
import { ALLOWED, ASKED, DENIED, RULES } from './judged-lines.js';

const workspace = '/work';
const reader = await createShellReader();
const STRENGTH: Readonly<Record<Ruling, number>> = { allow: 0, ask: 1, deny: 2 };

function judge(line: string, rules: readonly KnownRule[], guard: 'inside' | 'leaving' | 'none' = 'inside'): Ruling {
  return judgeLine({ reading: reader.readLine(line, workspace), rules, workspace, guard }).decision;
}

const anyLine = fc.constantFrom(...ALLOWED, ...ASKED, ...DENIED);
const anyProgram = fc.constantFrom('ls', 'git', 'rm', 'npm', 'cat', 'make', 'sh', 'env', 'xargs', './scripts/lint');
const anyArgument = fc.constantFrom('push', 'status', 'test', '-c', '--force', 'a.txt', 'origin');
const anyRule = (decision: fc.Arbitrary<Ruling>): fc.Arbitrary<KnownRule> =>
  fc.record(
    {
      id: fc.constant('r'),
      decision,
      argv: fc.tuple(anyProgram, fc.array(anyArgument, { maxLength: 2 })).map(([program, rest]) => [program, ...rest]),
      folder: fc.constantFrom('src', 'packages/api', '.'),
      host: fc.constantFrom('example.com', '*.example.com'),
    },
    { requiredKeys: ['id', 'decision'] },
  );
const anyRules = fc.array(anyRule(fc.constantFrom('allow', 'ask', 'deny')), { maxLength: 4 });
const strict: fc.Arbitrary<Ruling> = fc.constantFrom('ask', 'deny');

describe('whatever the rules and the line are', () => {
  test('a deny or an ask more never allows more', () => {
    fc.assert(
      fc.property(anyLine, anyRules, anyRule(strict), fc.nat(4), (line, rules, more, at) => {
        const after = [...rules.slice(0, at), more, ...rules.slice(at)];
        expect(STRENGTH[judge(line, after)]).toBeGreaterThanOrEqual(STRENGTH[judge(line, rules)]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('an allow more never forbids more, and never undoes a deny', () => {
    fc.assert(
      fc.property(anyLine, anyRules, anyRule(fc.constant('allow')), (line, rules, more) => {
        const [before, after] = [judge(line, rules), judge(line, [...rules, more])];
        expect(STRENGTH[after]).toBeLessThanOrEqual(STRENGTH[before]);
        expect(after === 'deny').toBe(before === 'deny');
      }),
      { numRuns: 2_000 },
    );
  });

  test('the order of rules does not matter', () => {
    fc.assert(
      fc.property(anyLine, anyRules, (line, rules) => {
        expect(judge(line, [...rules].reverse())).toBe(judge(line, rules));
      }),
      { numRuns: 1_000 },
    );
  });

  test('a weaker guard never allows more', () => {
    fc.assert(
      fc.property(anyLine, anyRules, (line, rules) => {
        const [inside, leaving, none] = (['inside', 'leaving', 'none'] as const).map(
          (guard) => STRENGTH[judge(line, rules, guard)],
        );
        expect(leaving).toBeGreaterThanOrEqual(inside ?? 0);
        expect(none).toBeGreaterThanOrEqual(leaving ?? 0);
        expect(none).toBeGreaterThan(STRENGTH.allow);
      }),
      { numRuns: 1_000 },
    );
  });
});

const SEPARATORS = [';', '&&', '||', '|', '&', '\n'] as const;
/** Lines that are whole, in folders that need not be there. */
const ENDED = DENIED.filter((line) => !/^cd |&$/.test(line));

describe('what is put behind a denied line', () => {
  test.each(SEPARATORS)('after %j leaves it denied', (separator) => {
    const more = fc.oneof(anyLine, fc.string({ unit: fc.constantFrom(...'az $"\'`(){}<>;|&#\n'), maxLength: 12 }));
    fc.assert(
      fc.property(fc.constantFrom(...ENDED), more, (line, text) => {
        expect(judge(`${line} ${separator} ${text}`, RULES)).not.toBe('allow');
      }),
      { numRuns: 400 },
    );
  });

  test.each(SEPARATORS)('after %j changes nothing when it is a whole command', (separator) => {
    fc.assert(
      fc.property(fc.constantFrom(...ENDED), fc.constantFrom('ls', 'git status', 'npm test'), (line, text) => {
        expect(judge(`${line} ${separator} ${text}`, RULES)).toBe('deny');
        expect(judge(`${text} ${separator} ${line}`, RULES)).toBe('deny');
      }),
      { numRuns: 200 },
    );
  });
});
