import { expect, test } from 'vitest';
import { HOSTILE } from './console-stage.js';
import { EnvelopeStage } from './envelope-stage.js';
import { judged } from './judged.js';
import { type GatedPage, gate } from './page-gate.js';

const TIMEOUT = { timeout: 300_000 };

test('pages of envelopes stand before axe, in both themes and at both widths', TIMEOUT, async () => {
  const stage = new EnvelopeStage();
  await stage.startWithEnvelopes();
  const asks = await stage.send(1, 'How does login work?\nSay where the session is kept, and for how long.', 'asker', {
    max_llm_calls: 14,
  });
  const confirms = await stage.send(2, 'Find deliveries that never reached a merchant, and clean up', 'planner');
  const looped = await stage.send(3, 'Explain the retry policy', 'looper');
  const parallel = await stage.send(4, 'Review the last change', 'thinker', { pipeline: 'review' });
  const { page } = await stage.logIn();
  const pages: readonly GatedPage[] = [
    { name: 'envelope', address: `/envelopes/${asks}`, shows: 'has a question.' },
    { name: 'envelope-confirmation', address: `/envelopes/${confirms}?stage=plan`, shows: 'asks before it goes on' },
    { name: 'envelope-bound', address: `/envelopes/${looped}?stage=critic`, shows: 'none left' },
    { name: 'envelope-parallel', address: `/envelopes/${parallel}`, shows: 'at work for' },
    { name: 'envelope-then', address: `/envelopes/${asks}?at=20&stage=plan`, shows: 'Back to live' },
    { name: 'envelope-list', address: '/envelopes', shows: 'Rows keep their place' },
    { name: 'inbox-clarification', address: '/inbox/1', shows: 'The request, as it was sent' },
    { name: 'inbox-confirmation', address: '/inbox/2', shows: 'The steps of the plan' },
  ];
  expect(await gate(stage, page, pages, () => true)).toEqual([]);
});

test(
  'an envelope that was sent back twice asks; it is answered on its page, and comes to its end before the eyes',
  TIMEOUT,
  async () => {
    const stage = new EnvelopeStage();
    await stage.startWithEnvelopes();
    const run = await stage.send(1, 'How does login work?', 'asker', { max_llm_calls: 20 });
    const { page } = await stage.logIn({ viewport: { width: 1440, height: 2000 } });
    await page.goto(`${stage.served.url}/runs`);
    await page.getByRole('heading', { name: 'Runs' }).waitFor({ state: 'attached' });
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('link', { name: 'How does login work?' }).waitFor();
    await page.getByText('0 of 3').waitFor();
    await page.getByText(/^\d+ iterations? left$/).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/envelopes/${run}$`));
    await page
      .getByRole('img', { name: /critic led to intent twice \(reintent\)\. intent waits for you\.$/ })
      .waitFor();
    await page.getByText('Two kinds of login are mixed up.').waitFor();
    await page.getByRole('button', { name: /^plan/ }).click();
    await page.waitForURL(/stage=plan/);
    await page.getByRole('button', { name: 'Difference' }).click();
    const diff = page.getByRole('region', { name: /^Changed lines of plan, compared with iteration 0/ });
    await diff.getByText('"plan_id": "plan-2",').waitFor();
    await diff.getByText('"plan_id": "plan-1",').waitFor();
    await page.getByLabel('Your answer').press('Enter');
    await page.getByText('Say it in your own words.').waitFor();
    await page.getByLabel('Your answer').fill('That of the console.');
    await page.getByText("baton answer 1 --text 'That of the console.'").waitFor();
    await page.getByLabel('Your answer').press('Enter');
    await page.getByText('It has come to its end: 3 of 3 satisfied.').waitFor();
    await page.getByText('Answered by you').waitFor();
    expect(await page.locator('.callout').count()).toBe(0);
    expect(await stage.client.envelopes.get(run)).toMatchObject({
      ...{ terminal_reason: 'completed_successfully', clarification_response: 'That of the console.' },
    });
    expect(await page.evaluate('window.forbidden')).toEqual([]);
  },
);

test('the page of an envelope is as it was behind any event, and cannot be answered there', TIMEOUT, async () => {
  const stage = new EnvelopeStage();
  await stage.startWithEnvelopes();
  const run = await stage.send(1, 'How does login work?', 'asker', { max_llm_calls: 20 });
  const { versions } = await stage.client.envelopes.board(run);
  const planned = versions.find(({ stages }) => stages.includes('plan'))?.seq ?? 0;
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 2000 } });
  await page.goto(`${stage.served.url}/envelopes/${run}?at=${planned}`);
  // Somebody is told of the question a moment later, which is an event too.
  await page
    .getByText(new RegExp(`Event ${planned} of \\d+`))
    .first()
    .waitFor();
  await page.getByRole('img', { name: /execution is next\.$/ }).waitFor();
  await page.getByText('It was not reached yet.').waitFor({ state: 'hidden' });
  expect(await page.locator('.answer').count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(new RegExp(`at=${planned + 1}`));
  await page.getByRole('img', { name: /execution is at work\.$/ }).waitFor();
  await page.getByRole('button', { name: 'Back to live' }).click();
  await page.getByText('has a question.').waitFor();
});

test('a confirmation shows the steps that would run; yes and no have keys, and no ends it', TIMEOUT, async () => {
  const stage = new EnvelopeStage();
  await stage.startWithEnvelopes();
  const agreed = await stage.send(1, 'Clean up one', 'planner');
  const denied = await stage.send(2, 'Clean up two', 'planner');
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 1200 } });
  await page.goto(`${stage.served.url}/inbox/1`);
  await page.getByText('{"path":"src/server/session.ts"}').waitFor();
  await page.getByRole('button', { name: /^Yes, run 2 steps/ }).waitFor();
  await page.locator('.answer button').first().focus();
  await page.keyboard.press('y');
  await page.getByText('Agreed to by you').first().waitFor();
  // It works in two stages of the plan, and the second plan asks as the first did.
  await expect.poll(async () => (await stage.client.envelopes.get(agreed)).current_stage_number).toBe(2);
  await page.goto(`${stage.served.url}/inbox/2`);
  await page.getByRole('button', { name: /^No/ }).waitFor();
  await page.locator('.answer button').first().focus();
  await page.keyboard.press('n');
  await page.getByText('Denied by you').first().waitFor();
  await page.goto(`${stage.served.url}/envelopes/${denied}`);
  await page.getByText('It was not agreed to, so nothing of it was done.').waitFor();
  expect((await stage.client.envelopes.get(denied)).terminal_reason).toBe('denied_by_policy');
});

test(
  'words of agents are words: nothing of them runs, and the pages stand before axe at 320 px too',
  TIMEOUT,
  async () => {
    const stage = new EnvelopeStage();
    await stage.startWithEnvelopes();
    const run = await stage.send(1, HOSTILE, 'hostile', { user_id: HOSTILE });
    const failed = await stage.send(2, HOSTILE.repeat(40), 'failing');
    const { page } = await stage.logIn({ viewport: { width: 320, height: 800 } });
    for (const [address, shows] of [
      [`/envelopes/${run}`, 'has a question.'],
      [`/envelopes/${run}?stage=perception`, 'Output of perception'],
      [`/envelopes/${failed}`, 'Errors'],
      ['/inbox/1', 'The request, as it was sent'],
      ['/envelopes', 'Rows keep their place'],
    ] as const) {
      await page.goto(stage.served.url + address);
      await page.getByText(shows).first().waitFor();
      await page.getByText('⟨U+202E⟩').first().waitFor({ state: 'attached' });
      expect(await judged(page), address).toEqual([]);
    }
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.evaluate('window.forbidden')).toEqual([]);
  },
);
