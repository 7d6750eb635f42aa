import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below('docs')].filter((page) => page.endsWith('.md'));

function below(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    path.join(folder, file),
  );
}

/** `$ command`, with its continuation lines, and what it prints below it. */
function shownCommands(page: string): { command: string; printed: string }[] {
  const blocks = [...readFileSync(path.join(ROOT, page), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
    ([, text]) => text ?? '',
  );
  return blocks
    .filter((block) => block.startsWith('$ '))
    .map((block) => {
      const lines = block.trimEnd().split('\n');
      const end = lines.findIndex((line) => !line.endsWith('\\'));
      return {
        command: lines
          .slice(0, end + 1)
          .join('\n')
          .slice(2),
        printed: lines.slice(end + 1).join('\n'),
      };
    });
}

describe.each(PAGES)('%s', (page) => {
  const commands = shownCommands(page);

  test(`shows ${commands.length} commands that print what it says`, () => {
    for (const { command, printed } of commands) {
      const { stdout } = spawnSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8', timeout: 60_000 });
      expect({ command, printed: stdout.trimEnd() }).toEqual({ command, printed });
    }
  });

  test('links only to files that exist', () => {
    const text = readFileSync(path.join(ROOT, page), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target ?? '');
    const missing = targets.filter((target) => !existsSync(path.join(ROOT, path.dirname(page), target)));
    expect(missing).toEqual([]);
  });
});

test('the minute of the README, typed as it is printed, brings a job home', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'baton-minute-'));
  try {
    const [, minute = ''] = readFileSync(path.join(ROOT, 'README.md'), 'utf8').split('## One minute');
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(minute) ?? [];
    const env = { HOME: home, PATH: process.env.PATH };
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', block], { cwd: ROOT, env, encoding: 'utf8' });
    expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
    expect(stdout).toContain('Nothing waits for you.');
    expect(readFileSync(path.join(home, 'baton-shop/price.js'), 'utf8')).toContain('net * 1.19');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
