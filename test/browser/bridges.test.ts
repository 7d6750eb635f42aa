import { expect, test } from 'vitest';
import { BridgeStage, HOSTILE_ASKS } from './bridge-stage.js';
import { judged } from './judged.js';
import { type GatedPage, gate } from './page-gate.js';

const TIMEOUT = { timeout: 300_000 };

test('pages of bridges stand before axe, in both themes and at both widths', TIMEOUT, async () => {
  const stage = new BridgeStage();
  await stage.startWithAgents();
  const { page } = await stage.logIn();
  await page.goto(`${stage.served.url}/bridges`);
  await page.getByText('baton bridge run -- python3 orchestrate.py').first().waitFor();
  expect(await judged(page), 'without any').toEqual([]);
  stage.run('payments', ['reviewer']);
  const done = await stage.bridge('payments', 'done');
  stage.run('invoices', ['architectural-reviewer=reviewer', 'agent-content-enhancer=human'], { stale: true });
  const asks = await stage.bridge('invoices', 'waiting', ({ item }) => item !== null);
  stage.run('loops', ['steady'], { forever: true });
  const stuck = await stage.bridge('loops', 'failed');
  stage.run('ledger-ui', ['slow']);
  const asked = await stage.bridge('ledger-ui', 'asking', ({ until }) => until !== null);
  const pages: readonly GatedPage[] = [
    { name: 'bridge', address: `/bridges/${asks.run_id}`, shows: 'The orchestrator is resumed with your answer.' },
    { name: 'bridge-done', address: `/bridges/${done.run_id}?handoff=h2`, shows: 'goes on with a warning' },
    { name: 'bridge-stuck', address: `/bridges/${stuck.run_id}`, shows: 'BRIDGE_NO_PROGRESS' },
    { name: 'bridge-asked', address: `/bridges/${asked.run_id}`, shows: 'at the latest' },
    { name: 'bridge-then', address: `/bridges/${done.run_id}?at=9`, shows: 'Back to live' },
    { name: 'bridge-list', address: '/bridges', shows: 'Rows keep their place' },
    { name: 'inbox-bridge', address: `/inbox/${asks.item}`, shows: 'What the orchestrator asks' },
  ];
  expect(await gate(stage, page, pages, () => true)).toEqual([]);
});

test(
  'a person answers for an agent on the page of a bridge, and the orchestrator comes to its end before the eyes',
  TIMEOUT,
  async () => {
    const stage = new BridgeStage();
    await stage.startWithAgents();
    stage.run('invoices', ['architectural-reviewer=reviewer', 'agent-content-enhancer=human'], { stale: true });
    const { run_id: run, files, pending } = await stage.bridge('invoices', 'waiting', ({ item }) => item !== null);
    const { page } = await stage.logIn({ viewport: { width: 1440, height: 2000 } });
    await page.goto(`${stage.served.url}/runs`);
    await page.getByRole('heading', { name: 'Runs' }).waitFor({ state: 'attached' });
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.getByText('You: What does agent-content-enhancer answer for agent_enhancement?').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/bridges/${run}$`));
    await page.getByText('three examples that are taken from the files below').first().waitFor();
    // What lies there answers another request: both values stand there.
    const panel = page.getByRole('region', { name: 'Files' });
    await panel.getByText('1 does not match').waitFor();
    await panel.getByText(String(files.response?.id)).waitFor();
    expect(await panel.getByText(String(pending)).count()).toBeGreaterThan(1);
    // What is asked stands above, so what was answered last is shown below.
    await page.getByRole('img', { name: 'Confidence 0.74; the gate has lines at 0.85 and 0.70' }).waitFor();
    await page.getByText('outbox-specialist').first().waitFor();
    await page.getByLabel('Your answer').press('Control+Enter');
    await page.getByText('Say it in your own words.').waitFor();
    await page.getByLabel('Your answer').fill('# Ask me\nBefore every migration.');
    await page.getByLabel('Your answer').press('Control+Enter');
    await page
      .getByText(/^The orchestrator ended with exit code 0 after \d rounds; 3 of 3 requests answered\.$/)
      .waitFor();
    expect(await page.locator('.callout').count()).toBe(0);
    await page.getByText('Before every migration.').waitFor();
    await page.keyboard.press('k');
    await page.waitForURL(/handoff=h2/);
    const { crossings } = await stage.client.bridges.board(run);
    expect(crossings.at(-1)).toMatchObject({ status: 'success', by: 'anna' });
    expect(await page.evaluate('window.forbidden')).toEqual([]);
  },
);

test('the page of a bridge is as it was behind any event, and cannot be answered there', TIMEOUT, async () => {
  const stage = new BridgeStage();
  await stage.startWithAgents();
  stage.run('invoices', ['architectural-reviewer=reviewer', 'agent-content-enhancer=human']);
  const { run_id: run } = await stage.bridge('invoices', 'waiting', ({ item }) => item !== null);
  const { items } = await stage.client.eventPage({ run });
  const asked = items.find(({ type }) => type === 'HandoffAsked')?.seq ?? 0;
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 2000 } });
  await page.goto(`${stage.served.url}/bridges/${run}?at=${asked}`);
  await page
    .getByText(new RegExp(`Event ${asked} of \\d+`))
    .first()
    .waitFor();
  await page.getByText('reviewer, for architectural-reviewer, is asked for phase 1, codebase_analysis').waitFor();
  await page.getByText('1 request in 1 round').waitFor();
  expect(await page.locator('.answer').count()).toBe(0);
  await page.getByRole('button', { name: 'Back to live' }).click();
  await page.getByText('3 requests in 3 rounds').waitFor();
  await page.getByRole('button', { name: /^Send the answer/ }).waitFor();
});

test('who does not want to answer says so in the inbox, and the orchestrator goes on without', TIMEOUT, async () => {
  const stage = new BridgeStage();
  await stage.startWithAgents();
  stage.run('invoices', ['architectural-reviewer=reviewer', 'agent-content-enhancer=human']);
  const { item, run_id: run } = await stage.bridge('invoices', 'waiting', ({ item }) => item !== null);
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 1200 } });
  await page.goto(`${stage.served.url}/inbox/${item}`);
  await page.getByText('human answers for it, and that is a person.').waitFor();
  await page.locator('.answer button').first().focus();
  await page.keyboard.press('d');
  await page.getByRole('button', { name: /^Yes, do not answer/ }).click();
  await page.getByText('Cancelled by you').first().waitFor();
  await page.goto(`${stage.served.url}/bridges/${run}`);
  await page.getByText('2 of 3 requests answered.').waitFor();
  await page.getByText('anna did not want to answer').first().waitFor();
});

test(
  'words of orchestrators and agents are words: nothing of them runs, and the pages stand before axe at 320 px too',
  TIMEOUT,
  async () => {
    const stage = new BridgeStage();
    await stage.startWithAgents();
    stage.run('hostile', ['hostile'], { asks: HOSTILE_ASKS });
    const done = await stage.bridge('hostile', 'done');
    stage.run('asks', ['human'], { asks: HOSTILE_ASKS });
    const asks = await stage.bridge('asks', 'waiting', ({ item }) => item !== null);
    const { page } = await stage.logIn({ viewport: { width: 320, height: 800 } });
    for (const [address, shows] of [
      [`/bridges/${done.run_id}?handoff=h1`, 'Crossings'],
      [`/bridges/${done.run_id}?handoff=h2`, 'Crossings'],
      [`/bridges/${asks.run_id}`, 'Waiting for you'],
      [`/inbox/${asks.item}`, 'What the orchestrator asks'],
      ['/bridges', 'Rows keep their place'],
    ] as const) {
      await page.goto(stage.served.url + address);
      await page.locator('main').getByText(shows).first().waitFor();
      await page.getByText('⟨U+202E⟩').first().waitFor({ state: 'attached' });
      expect(await judged(page), address).toEqual([]);
    }
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.evaluate('window.forbidden')).toEqual([]);
  },
);
