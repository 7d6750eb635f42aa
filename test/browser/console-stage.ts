import { afterAll, onTestFinished } from 'vitest';
import { type BatonClient, createClient } from '../../src/client/index.js';
import { type Served, serve } from '../client/served.js';
import { ANSWERS, JobStage } from '../jobs/job-stage.js';
import { type Browser, type Context, openBrowser, type Page } from './open-browser.js';

/** Names, sentences and answers that try to be markup, to run, and to turn the text around them. */
export const HOSTILE = `<img src=x onerror="window.ran=1"><script>window.ran=2</script>\u202egnp.exe\u0007\u200b`;

/** One for all tests of a file: each has a context of its own, which shares nothing with the others. */
let opened: Browser | undefined;
afterAll(() => opened?.close());

async function sharedBrowser(): Promise<Browser> {
  if (!opened?.isConnected()) opened = await openBrowser();
  return opened;
}

/** A served home with work in every state, and a browser that is logged in to it. */
export class ConsoleStage {
  readonly jobs = new JobStage();
  served!: Served;
  client!: BatonClient;

  /** `before` is done when there are agents, and nobody serves yet. */
  async start(before: (jobs: JobStage) => Promise<void> = async () => {}): Promise<void> {
    const { jobs } = this;
    jobs.write('notes.md', 'one\n');
    jobs.commit('notes');
    await jobs.shell('codex-main', `${FIX}\n${saying('Turned the minus into a plus; the test passes now.')}`);
    await jobs.shell('claude-review', saying('Correct, small and tested.'));
    await jobs.shell('stuck', `echo ${quoted(HOSTILE)} >&2\n${saying(HOSTILE, 'STUCK')}`);
    await jobs.shell('broken', 'echo "I could not do it, sorry."');
    await jobs.scripted('slow', [{ answer: ANSWERS.completed, delay_ms: 600_000 }]);
    await jobs.scripted('second-try', [
      { when: { role: 'Worker' }, answer: ANSWERS.completed },
      { when: { role: 'Supervisor' }, answer: ANSWERS.retry, times: 1 },
      { when: { role: 'Supervisor' }, answer: ANSWERS.completed },
    ]);
    await before(jobs);
    this.served = await serve(jobs);
    this.client = createClient(this.served);
  }

  /** Jobs that wait, run, have ended and are drafts. */
  async fill(): Promise<void> {
    const { client } = this;
    const repo = this.jobs.repo;
    const check = 'node test/add.test.js';
    const make = (id: string, prompt: string, more: object) =>
      client.jobs.create({ id, prompt, repo, supervisor: 'none', activate: true, ...more });
    await make('add-fix', 'Fix the addition', { agent: 'codex-main', supervisor: 'claude-review', checks: [check] });
    await this.until('add-fix', 'SUCCESS');
    await make('review-twice', 'Look at it twice before it counts', {
      ...{ agent: 'second-try', supervisor: 'second-try', approve: true, cost_usd: 2 },
    });
    await this.until('review-twice', 'INTERVENTION_REQUIRED');
    await make('hostile', HOSTILE, { agent: 'stuck' });
    await this.until('hostile', 'INTERVENTION_REQUIRED');
    await make('broken-answer', 'Find out why the build is slow', { agent: 'broken' });
    await this.until('broken-answer', 'INTERVENTION_REQUIRED');
    await make('sum-fix', 'Fix the sum and show that it works', {
      agent: 'codex-main',
      checks: [check],
      approve: true,
    });
    await this.until('sum-fix', 'INTERVENTION_REQUIRED');
    await make('long-look', 'Read everything', { agent: 'slow' });
    await make('dropped', 'Try the new queue library', { agent: 'codex-main', activate: false });
    await client.jobs.act('dropped', 'cancel');
    await make('a-draft', 'Write the release notes', { agent: 'codex-main', activate: false });
    await this.until('long-look', 'RUNNING');
  }

  async until(id: string, status: string): Promise<void> {
    for (let looks = 0; looks < 600; looks += 1) {
      if ((await this.client.jobs.get(id)).status === status) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${id} is ${(await this.client.jobs.get(id)).status}, not ${status}`);
  }

  /** A page that is logged in, and keeps what it was forbidden to do under `window.forbidden`. */
  async logIn(how: object = {}, token = this.served.token): Promise<{ page: Page; context: Context }> {
    const context = await (await sharedBrowser()).newContext(how);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.addInitScript({ content: WATCH });
    await page.goto(await this.link(token));
    await page.waitForURL(/\/inbox/);
    return { page, context };
  }

  /** A token of somebody else. */
  async token(name: string, role: string): Promise<string> {
    return (await this.post('tokens', this.served.token, { name, role })).token as string;
  }

  /** A link that logs in for a token. */
  async link(token: string): Promise<string> {
    return (await this.post('console/links', token, {})).url as string;
  }

  private async post(path: string, token: string, body: object): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.served.url}/api/v1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Record<string, unknown>;
  }
}

const WATCH = `window.forbidden = []; document.addEventListener('securitypolicyviolation', (event) =>
  window.forbidden.push(event.violatedDirective + ' ' + event.blockedURI));`;

const FIX = "printf 'exports.add = (a, b) => a + b;\\n' > add.js";

function saying(summary: string, action = 'COMPLETED'): string {
  const evidence = action === 'COMPLETED' && summary.includes('plus') ? ['add.js'] : [];
  return `echo ${quoted(JSON.stringify({ action, evidence_files: evidence, summary_for_supervisor: summary }))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
