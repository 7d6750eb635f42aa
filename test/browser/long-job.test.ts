import { expect, test } from 'vitest';
import { JobStory } from '../../src/core/job/job-story.js';
import { ConsoleStage } from './console-stage.js';
import { writeJobs } from './written-job.js';

const INTERACTIONS = 10_000;
/** A page of a short job has some hundred nodes. */
const NODES_MAX = 2_000;

/** A worker and a reviewer who hand it to and fro, and at last do not know any further. */
function longStory(): JobStory {
  const story = JobStory.active({ title: 'A very long job' }).prepared();
  while (story.live.sequence < INTERACTIONS - 2) {
    story.admitted().after(900).answers('COMPLETED', { commit: null });
    story.admitted().after(100).answers('RETRY', { commit: null });
    if (story.status === 'INTERVENTION_REQUIRED')
      story.tell({ type: 'Resubmit', guidance: null, phase: 'implementation' });
  }
  story.admitted().answers('COMPLETED', { commit: null });
  return story.admitted().answers('STUCK', { commit: null });
}

test('a job of 10,000 interactions is looked at as quickly as any, at any of its moments', {
  timeout: 300_000,
}, async () => {
  const story = longStory();
  expect(story.live.sequence).toBe(INTERACTIONS);
  const stage = new ConsoleStage();
  await stage.start((jobs) => writeJobs(jobs, { long: story }));
  const { page } = await stage.logIn();
  await page.goto(`${stage.served.url}/runs/long`);
  await page.getByText('Handoff 10000').waitFor();
  const nodes = () => page.evaluate<number>('document.querySelectorAll("*").length');
  const fetched = () => page.evaluate<number>(FETCHED);
  expect(await nodes()).toBeLessThan(NODES_MAX);
  expect(await fetched(), 'bytes that were read').toBeLessThan(1_000_000);

  // Ticks stand for many events; the slider goes to any of them.
  const { events } = await stage.client.jobs.view('long');
  await page.getByText(`event ${events.toLocaleString('en-US')} of`).waitFor();
  await page.getByRole('slider').press('Home');
  await page
    .getByText(`Event 1 of ${events.toLocaleString('en-US')}`)
    .first()
    .waitFor();
  await page.getByText('Nobody has been asked yet.').waitFor();
  const middle = (await stage.client.jobs.relay('long', { from: 4_999, limit: 1 })).items[0];
  await page.goto(`${stage.served.url}/runs/long?at=${middle?.last_event}`);
  await page.getByText('Handoff 5000').waitFor();
  expect((await stage.client.jobs.view('long', middle?.last_event)).attempts).toBe(5_000);
  expect(await nodes()).toBeLessThan(NODES_MAX);

  // Scrolled anywhere, the rows there are read and drawn, and no others.
  await page.evaluate("document.querySelector('.hops').scrollTop = 60 * 1234");
  await page.locator('.hop-what').first().waitFor();
  await page
    .getByRole('button', { name: /implementation/ })
    .first()
    .click();
  await page.waitForURL(/handoff=12\d\d/);
  expect(await nodes()).toBeLessThan(NODES_MAX);
  for (const tab of ['evidence', 'log', 'events', 'manifest', 'changes']) {
    await page.goto(`${stage.served.url}/runs/long?tab=${tab}`);
    await page.locator('#tab-panel > *').first().waitFor();
    expect(await nodes(), tab).toBeLessThan(NODES_MAX * (tab === 'manifest' ? 1 : 1.5));
  }
});

const FETCHED = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'))
  .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`;
