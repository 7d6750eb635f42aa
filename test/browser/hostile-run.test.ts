import { expect, test } from 'vitest';
import { ConsoleStage, HOSTILE } from './console-stage.js';

const LONG_LINE = 'A'.repeat(1024 * 1024);
/** Where on each tab something hostile stands once it is read. */
const TABS: Readonly<Record<string, string>> = {
  relay: '.handoff >> text=gnp.exe',
  changes: '#tab-panel >> text=onerror',
  evidence: '#tab-panel >> text=evil.html',
  log: '#tab-panel >> text=gnp.exe',
  events: '#tab-panel >> text=JobSubmitted',
  manifest: '#tab-panel >> text=gnp.exe',
};

test('hostile strings in prompt, answer, log and diff are text on every tab, now and in the past', {
  timeout: 240_000,
}, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  const quoted = `'${HOSTILE.replaceAll("'", "'\\''")}'`;
  const answer = JSON.stringify({
    action: 'STUCK',
    evidence_files: ['evil.html'],
    summary_for_supervisor: `${HOSTILE} ${'B'.repeat(400)}`,
  });
  await stage.jobs.shell(
    'evil',
    `printf '%s\\n' ${quoted} > evil.html
head -c 1048576 /dev/zero | tr '\\0' 'A' >> evil.html
printf '%s\\n' ${quoted} >&2
printf '\\033[31mred\\007\\n' >&2
head -c 1048576 /dev/zero | tr '\\0' 'A' >&2
echo '${answer.replaceAll("'", "'\\''")}'`,
  );
  await stage.client.jobs.create({
    ...{
      id: 'hostile',
      prompt: `${HOSTILE}\n${LONG_LINE}`,
      repo: stage.jobs.repo,
      agent: 'evil',
      supervisor: 'none',
      activate: true,
    },
  });
  await stage.until('hostile', 'INTERVENTION_REQUIRED');
  const { events } = await stage.client.jobs.view('hostile');
  const { page } = await stage.logIn();
  const look = async (address: string, shows: string) => {
    await page.goto(stage.served.url + address);
    await page.locator(shows).first().waitFor();
    if (address.includes('tab=events')) await page.getByRole('button', { name: /JobSubmitted/ }).click();
    const text = await page.evaluate<string>('document.body.textContent');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text, address).not.toMatch(/[\u0007\u001b\u200b\u202e]/);
    expect(text.length, address).toBeLessThan(100_000);
    expect(await page.evaluate('window.ran'), address).toBeUndefined();
    expect(await page.evaluate('window.forbidden'), address).toEqual([]);
  };
  for (const [tab, shows] of Object.entries(TABS)) {
    for (const at of ['', `&at=${events - 1}`]) await look(`/runs/hostile?tab=${tab}${at}`, shows);
  }
  await look('/runs/hostile?tab=changes', '#tab-panel >> text=onerror');
  await page
    .getByRole('button', { name: /Show 1\.0 MB more/ })
    .first()
    .click();
  await look('/runs/hostile?tab=log', '#tab-panel >> text=U+001B');
  await page.goto(`${stage.served.url}/runs/hostile`);
  for (const part of ['Prompt', 'Raw', 'Answer']) {
    await page.getByRole('button', { name: part, exact: true }).click();
    await page.locator('.handoff >> text=⟨U+202E⟩').first().waitFor();
  }
  await look('/inbox', '.ask >> text=onerror');
  expect(await page.evaluate('window.ran')).toBeUndefined();
});
