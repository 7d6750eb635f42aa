import { describe, expect, test } from 'vitest';
import { narrowestRules } from './narrowest-rule.js';
import type { ShellReading, SimpleCommand } from './shell-reading.js';

const FOR = { workspace: '/work', repo: '/repo', agent: 'claude', author: 'anna', nowMs: 0 };

function command(line: string, more: Partial<SimpleCommand> = {}): SimpleCommand {
  const plain = { openFrom: null, wrapper: false, redirects: [], sets: [], folder: '/work' };
  return { argv: line.split(' '), ...plain, ...more };
}

function beginnings(...commands: SimpleCommand[]): unknown {
  const made = narrowestRules({ understood: true, commands }, FOR);
  return 'rules' in made ? made.rules.map(({ argv }) => argv?.join(' ')) : made.refusal;
}

describe('a rule made of an approved command', () => {
  test('is for this repository and agent, and ends after thirty days', () => {
    expect(narrowestRules({ understood: true, commands: [command('pnpm add jose@5.9.6')] }, FOR)).toEqual({
      rules: [
        {
          ...{ decision: 'allow', argv: ['pnpm', 'add'], repo: '/repo', agent: 'claude', author: 'anna' },
          expires_at: '1970-01-31T00:00:00.000Z',
        },
      ],
    });
  });

  test.each([
    ['git push origin main', 'git push'],
    ['/usr/bin/git push', 'git push'],
    ['npm run build -- --watch', 'npm run build'],
    ['gh pr create --fill', 'gh pr create'],
    ['docker push image', 'docker push image'],
    ['pytest -q tests', 'pytest -q tests'],
    ['pytest', 'pytest'],
  ])('from %s begins with %s', (line, beginning) => {
    expect(beginnings(command(line))).toEqual([beginning]);
  });

  test('covers each command of a line that needs one', () => {
    expect(beginnings(command('cd src'), command('npm install x'), command('git commit -m x'))).toEqual([
      'npm install',
      'git commit',
    ]);
    expect(beginnings(command('timeout 5 npm test', { wrapper: true }), command('npm test'))).toEqual(['npm test']);
  });

  test.each([
    ['rm -rf build'],
    ['bash script.sh'],
    ['python3 a.py'],
    ['curl example.com'],
    ['sudo ls'],
    ['git'],
    ['git -c a=b push'],
    ['./run'],
    ['ls'],
  ])('is not made from %s', (line) => {
    expect(beginnings(command(line))).toEqual(expect.any(String));
  });

  test('is not made from what is not known, or what no rule covers', () => {
    const reading: ShellReading = { understood: false, what: 'variable', reason: 'why', commands: [] };
    expect(narrowestRules(reading, FOR)).toEqual({ refusal: expect.stringContaining('why') });
    expect(beginnings(command('npm x', { openFrom: 1 }))).toEqual(expect.any(String));
    expect(beginnings(command('pytest *', { openFrom: 1 }))).toEqual(expect.any(String));
    expect(beginnings(command('npm test', { redirects: [{ kind: 'write', target: 'a' }] }))).toMatch(/writes/);
    expect(beginnings(command('npm test', { sets: ['PATH'] }))).toMatch(/PATH/);
  });
});
