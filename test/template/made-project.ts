import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with these files, gone after the test. */
export function madeProject(files: Readonly<Record<string, string | Uint8Array>>, { git = false } = {}): string {
  const root = mkdtempSync(path.join(tmpdir(), 'baton-project-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) addFile(root, name, text);
  if (git) inGit(root, 'init', '-q');
  return root;
}

export function addFile(root: string, name: string, text: string | Uint8Array): void {
  const full = path.join(root, name);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
}

export function inGit(root: string, ...args: string[]): void {
  const settings = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...settings, ...args], { cwd: root, stdio: 'ignore' });
}

/** Enough text to be worth showing, in the manner of the language. */
export function codeLines(count: number, line: (index: number) => string): string {
  return `${Array.from({ length: count }, (_, index) => line(index)).join('\n')}\n`;
}
