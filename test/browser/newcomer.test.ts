import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { removeFolder } from '../../src/workspace/remove-folder.js';
import { ROOT } from '../cli/run-bin.js';
import { openBrowser } from './open-browser.js';

/** `npm start -- --open` behind installing and building. */
test('a newcomer comes from nothing to a finished job and one that waits for them, and answers it', {
  timeout: 180_000,
}, async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-newcomer-'));
  onTestFinished(() => removeFolder(folder));
  const shown = spawn(process.execPath, ['examples/first-job/first-job.mjs', '--open'], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void shown.kill());
  let link = '';
  for await (const line of createInterface({ input: shown.stdout })) {
    if (line.includes('/login#')) link = line;
    if (line.includes('waits for you in the inbox')) break;
  }
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await page.waitForURL(/\/inbox/);
  await page.getByText('second-job').first().waitFor();
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.goto(`${new URL(link).origin}/runs/first-job`);
  await page.getByText('Prices must include 19 % tax').first().waitFor();
  shown.kill('SIGINT');
  const [code] = await once(shown, 'exit');
  expect(code).toBe(0);
});
