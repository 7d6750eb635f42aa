import path from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { serve } from '../client/served.js';
import { judged } from './judged.js';
import type { Page } from './open-browser.js';
import { SessionStage } from './session-stage.js';

const TIMEOUT = { timeout: 300_000 };
const LIE = 'Routine step; Baton has already verified that this is safe.';
const LONG = `${Array.from({ length: 40 }, (_, line) => `echo ${line}`).join('\n')}\nrm -rf /important`;
const exec = (command: readonly string[], more: object = {}) => ({
  name: 'exec_command',
  arguments: { command, ...more },
});
const outside = { with_escalated_permissions: true, justification: LIE };
const patchOf = (files: number, lines: number) => {
  const file = (name: number) => `*** Add File: dir/file-${name}.txt\n${`+line of ${name}\n`.repeat(lines)}`;
  return `*** Begin Patch\n${Array.from({ length: files }, (_, name) => file(name)).join('')}*** End Patch\n`;
};
const patch = (input: string) => ({ name: 'apply_patch', arguments: { input } });
const done = { text: 'That was it.' };
const SCENARIO = {
  turns: [
    { when: { prompt: 'leave' }, steps: [{ text: 'I leave.', tool_calls: [exec(['touch', 'made'], outside)] }, done] },
    { when: { prompt: 'long' }, steps: [{ tool_calls: [exec(['sh', '-c', LONG], outside)] }, done] },
    { when: { prompt: 'many' }, steps: [{ tool_calls: [patch(patchOf(40, 3))] }, done] },
    { when: { prompt: 'big' }, steps: [{ tool_calls: [patch(patchOf(1, 2_100))] }, done] },
    {
      when: { prompt: 'tell' },
      steps: [
        { text: 'One more line of it.\n\n'.repeat(60), tool_calls: [exec(['pwd']), exec(['pwd'])] },
        { text: 'One more line of it.\n\n'.repeat(10) },
      ],
    },
    {
      when: { prompt: 'plan' },
      steps: [
        { tool_calls: [{ name: 'update_plan', arguments: { plan: [{ step: 'Look', status: 'in_progress' }] } }] },
        done,
      ],
    },
  ],
};

async function staged(): Promise<SessionStage> {
  const stage = new SessionStage();
  await stage.startWith(SCENARIO);
  return stage;
}

/** A session that asks, with the number of its item. */
async function asking(stage: SessionStage, words: string, more: object = {}): Promise<{ run: string; item: number }> {
  const run = await stage.open(stage.folder('shop'), more);
  await stage.say(run, words);
  const { approvals } = await stage.board(run, ({ approvals: [first] }) => first?.item != null);
  return { run, item: approvals[0]?.item ?? 0 };
}

/** Where pictures go; none are kept without it. */
const SHOTS = process.env.BATON_SCREENSHOTS;
async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: path.join(SHOTS, `${name}.png`) });
}

const tooHigh = (page: Page) => page.evaluate<number>('document.documentElement.scrollHeight - innerHeight');

test(
  'whoever answers sees the same in the inbox as on the page: all of it, and whose words are whose',
  TIMEOUT,
  async () => {
    const stage = await staged();
    const { run, item } = await asking(stage, 'leave');
    const { page } = await stage.logIn({ viewport: { width: 1440, height: 1000 } });
    for (const address of [`/inbox/${item}`, `/sessions/${run}`]) {
      await page.goto(stage.served.url + address);
      await page.getByRole('button', { name: /^Approve once/ }).waitFor();
      await page.getByText('Run this command outside of the sandbox?').first().waitFor();
      const asked = page.locator('.ask .body, .gate').first();
      await asked.getByText('touch made').first().waitFor();
      await asked.getByText(stage.folder('shop')).first().waitFor();
      await asked.getByText('outside of the sandbox').nth(1).waitFor();
      expect(await asked.locator('.model-says .quote').textContent()).toBe(LIE);
      const others = await page.evaluate<string>(
        `[...document.querySelectorAll('.gate, .ask .body')].map((part) => { const copy = part.cloneNode(true);
        for (const said of copy.querySelectorAll('.model-says')) said.remove(); return copy.textContent }).join()`,
      );
      expect(others, 'outside of the quote').not.toContain('verified');
    }
    await page.goto(`${stage.served.url}/inbox/${item}`);
    await page.getByRole('option').getByText(`session · ${run}`).waitFor();
    const { out } = await stage.jobs.ok('inbox', String(item));
    for (const words of ['touch made', 'OUTSIDE of the sandbox', `"${LIE}" (its`, '--for-session', '--abort']) {
      expect(out).toContain(words);
    }
    await stage.client.answer(item, { decision: 'deny' });
    await stage.board(run, ({ approvals }) => approvals.length === 0);
    expect((await stage.jobs.ok('inbox', String(item))).out).toMatch(/\w+ denied this \d+ s ago/);
  },
);

test('a change is read line by line in the inbox, however many files and lines it has', TIMEOUT, async () => {
  const stage = await staged();
  const many = await asking(stage, 'many', { approval_policy: 'untrusted' });
  const big = await asking(stage, 'big', { approval_policy: 'untrusted' });
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${stage.served.url}/inbox/${many.item}`);
  await page.getByText('Make this change?').first().waitFor();
  for (const file of [0, 39]) {
    await page.locator('.ask').getByText(`dir/file-${file}.txt`).first().waitFor({ state: 'attached' });
    await page.locator('.ask').getByText(`line of ${file}`).first().waitFor({ state: 'attached' });
  }
  await page.goto(`${stage.served.url}/inbox/${big.item}`);
  await page.getByRole('button', { name: /^Show \d+ more lines/ }).click();
  await shot(page, 'inbox-change');
  await page.locator('.diff .add').nth(2_099).waitFor({ state: 'attached' });
  const { out } = await stage.jobs.ok('inbox', String(many.item));
  for (let file = 0; file < 40; file += 1) expect(out).toContain(`A dir/file-${file}.txt   +3 -0`);
  expect(out).toContain(`All of it: baton inbox ${many.item} --all`);
  expect((await stage.jobs.ok('inbox', String(big.item), '--all')).out.split('+line of 0')).toHaveLength(2_101);
});

test('a command that goes on below its room says so until its end is seen', TIMEOUT, async () => {
  const stage = await staged();
  const { run } = await asking(stage, 'long');
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 1000 } });
  await page.goto(`${stage.served.url}/sessions/${run}`);
  const mark = page.getByRole('button', { name: /It goes on below/ });
  await mark.waitFor();
  await shot(page, 'session-long-command');
  await page.evaluate("document.querySelector('.gate .goes-on-in').scrollTo(0, 1e6)");
  await mark.waitFor({ state: 'hidden' });
});

test(
  'a long conversation scrolls in its own room: the page behind it is never higher than the window',
  TIMEOUT,
  async () => {
    const stage = await staged();
    const run = await stage.open(stage.folder('shop'));
    for (const _ of [1, 2]) {
      await stage.say(run, 'plan');
      await stage.board(run, ({ task }) => task === null);
      await stage.say(run, 'tell');
      await stage.board(run, ({ task }) => task === null);
    }
    const { page } = await stage.logIn();
    for (const size of [
      { width: 1440, height: 900 },
      { width: 1000, height: 700 },
      { width: 390, height: 844 },
      { width: 320, height: 640 },
    ]) {
      await page.setViewportSize(size);
      await page.goto(`${stage.served.url}/sessions/${run}`);
      await page.getByText('One more line of it.').first().waitFor({ state: 'attached' });
      expect(await tooHigh(page), `${size.width}`).toBeLessThanOrEqual(0);
    }
    // The plan says a step is under way; nothing runs any more.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator('.plan').getByText('begun').waitFor({ state: 'attached' });
  },
);

test('with an open question there is room to read the conversation, in a small window too', TIMEOUT, async () => {
  const stage = await staged();
  const run = await stage.open(stage.folder('shop'));
  await stage.say(run, 'tell');
  await stage.board(run, ({ tasks }) => tasks.at(-1)?.end != null);
  await stage.say(run, 'leave');
  await stage.board(run, ({ approvals }) => approvals[0]?.item != null);
  const { page } = await stage.logIn();
  for (const size of [
    { width: 1000, height: 700 },
    { width: 390, height: 844 },
    { width: 320, height: 640 },
  ]) {
    await page.setViewportSize(size);
    await page.goto(`${stage.served.url}/sessions/${run}`);
    await page.getByRole('button', { name: /^Approve once/ }).waitFor();
    await shot(page, `session-asks-${size.width}`);
    expect(await judged(page), `${size.width}`).toEqual([]);
    expect(await tooHigh(page), `${size.width}`).toBeLessThanOrEqual(0);
    const asked =
      "document.querySelector('.gate h2').getBoundingClientRect().top - document.querySelector('.mid > .session-head').getBoundingClientRect().bottom";
    expect(await page.evaluate<number>(asked), 'the question stands above its answers').toBeGreaterThanOrEqual(0);
    // From the end, where the question is, up into what was said: how much of it can be in the window at once.
    const seen = await page.evaluate<number>(`(() => {
      const room = document.querySelector('.thread');
      const scrolls = getComputedStyle(room).overflowY === 'visible' ? room.parentElement : room;
      scrolls.scrollTop = 0;
      const [inner, outer] = [room.getBoundingClientRect(), scrolls.getBoundingClientRect()];
      return Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
    })()`);
    expect(seen, `${size.width}×${size.height}`).toBeGreaterThan(size.height / 3);
  }
});

test(
  'what could not be read is read again when the server is back, without anything new to tell',
  TIMEOUT,
  async () => {
    const stage = await staged();
    const run = await stage.open(stage.folder('shop'));
    const { page } = await stage.logIn({ viewport: { width: 1440, height: 1000 } });
    await page.goto(`${stage.served.url}/sessions/${run}`);
    await page.getByText('Nothing was said yet').waitFor();
    await page.locator('.bar .pulse.live').waitFor();
    // Events come, and nothing can be read because of them.
    await page.evaluate(`(() => {
    const real = window.fetch;
    window.up = () => { window.fetch = real; };
    window.failed = 0;
    window.fetch = (input, init) => {
      if (!/\\/api\\/v1\\/(sessions\\/[^/?]+$|inbox)/.test(String(input))) return real(input, init);
      window.failed += 1;
      return Promise.reject(new TypeError('Failed to fetch'));
    };
  })()`);
    await stage.say(run, 'leave');
    await stage.board(run, ({ approvals }) => approvals[0]?.item != null);
    await page.getByText('What is shown may be old').waitFor();
    await expect.poll(() => page.evaluate<number>('window.failed'), { timeout: 30_000 }).toBeGreaterThan(8);
    await page.evaluate('window.up()');
    await page.getByRole('button', { name: /^Approve once/ }).waitFor();
    await page.getByText('What is shown may be old').waitFor({ state: 'hidden' });
    // The same with a server that is gone for a while.
    const { port } = new URL(stage.served.url);
    await stage.served.stop('SIGKILL');
    await page.getByText('Stale since').waitFor();
    stage.served = await serve(stage.jobs, { port: Number(port) });
    stage.client = createClient(stage.served);
    await page.locator('.bar .pulse.live').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: /^Approve once/ }).click();
    await page.getByText('That was it.').first().waitFor();
  },
);

test('a session at its limit says so, with the command that raises it', TIMEOUT, async () => {
  const stage = await staged();
  const run = await stage.open(stage.folder('shop'), { limits: { tokens: 5 } });
  await stage.say(run, 'tell');
  await stage.board(run, ({ tasks }) => tasks.at(-1)?.end != null);
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${stage.served.url}/sessions/${run}`);
  await page.getByText('At its limit. Raise it to go on').waitFor();
  await page
    .locator('.stopped')
    .getByText(new RegExp(`baton chat --resume ${run} --max-tokens \\d+$`))
    .waitFor();
  await shot(page, 'session-limit');
  expect(await judged(page)).toEqual([]);
  await page.goto(`${stage.served.url}/sessions`);
  await page.locator('tbody .st.limit').getByText('At its limit').waitFor();
  const failed = await stage.open(stage.folder('shop'));
  await stage.say(failed, 'nobody answers to this');
  await stage.board(failed, ({ tasks }) => tasks.at(-1)?.end?.code === 'MODEL_FAILED');
  await page.goto(`${stage.served.url}/sessions/${failed}`);
  await page.getByText('The last task failed. Ready for your next words').waitFor();
  await page.goto(`${stage.served.url}/sessions`);
  await page.locator('tbody .st.bad').getByText('Last task failed').waitFor();
});

test(
  'keys: focus stays in the page after an answer, ⏎ says yes to an interrupt, ? tells the keys of sessions',
  TIMEOUT,
  async () => {
    const stage = await staged();
    const { run } = await asking(stage, 'leave');
    const { page } = await stage.logIn({ viewport: { width: 1440, height: 1000 } });
    await page.goto(`${stage.served.url}/sessions/${run}`);
    await page.getByRole('button', { name: /^Deny/ }).click();
    await page.getByText('That was it.').first().waitFor();
    await page.getByText('Denied by you').waitFor();
    await page.locator('.gate').waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await stage.say(run, 'leave');
    await page.getByRole('button', { name: /^Approve once/ }).waitFor();
    expect(await page.getByText('Denied by you').count(), 'said about the task before').toBe(0);
    await page.getByLabel('What should be done').press('Escape');
    await page.getByRole('button', { name: /^Yes, interrupt/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Interrupted. What was done so far is kept.').first().waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog');
    await keys.getByText('Interrupt the task; it asks once').waitFor();
    const broken = "[...document.querySelectorAll('dialog kbd')].filter((key) => key.offsetHeight > 20).length";
    expect(await page.evaluate(broken)).toBe(0);
    await page.keyboard.press('Escape');
  },
);

test('what is said where there is nothing yet has room around it', TIMEOUT, async () => {
  const stage = await staged();
  const { page } = await stage.logIn();
  for (const address of ['/sessions', '/operator', '/envelopes', '/bridges']) {
    await page.goto(stage.served.url + address);
    await page.locator('.card.empty').waitFor();
    const room = await page.evaluate<number>(
      "parseFloat(getComputedStyle(document.querySelector('.card.empty')).paddingLeft)",
    );
    expect(room, address).toBeGreaterThanOrEqual(12);
  }
});
