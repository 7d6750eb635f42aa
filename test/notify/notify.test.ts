import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { JobStage } from '../jobs/job-stage.js';

type Heard = { headers: IncomingHttpHeaders; body: string };

/** Somebody who is told, and answers with these statuses in turn; then with 200. */
async function listener(...statuses: number[]): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    heard.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(statuses.shift() ?? 200, { location: 'http://127.0.0.1:1/' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, heard };
}

const STUCK = '{"action":"STUCK","evidence_files":[],"summary_for_supervisor":"Which one?"}';

async function stuckJob(stage: JobStage): Promise<void> {
  const command = JSON.stringify(['printf', '%s', STUCK]);
  await stage.ok('agent', 'register', 'a', '--adapter', 'command', '--command', command);
  await stage.json('run', 'Fix add', '--agent', 'a', '--id', 'j', '--supervisor', 'none', '--name', 'Fix add');
}

describe('whoever wants to be told that a job waits', () => {
  test('is told by a webhook that is signed', async () => {
    const { url, heard } = await listener();
    const stage = new JobStage();
    stage.extra = { HOOK_KEY: 'a-key-of-mine' };
    await stage.ok('notify', 'add', 'ops', '--webhook', url, '--secret-env', 'HOOK_KEY', '--allow-private');
    await stuckJob(stage);
    const [{ headers, body } = { headers: {}, body: '' }] = heard;
    expect(heard).toHaveLength(1);
    expect(JSON.parse(body)).toMatchObject({
      id: 'j/notify-1',
      run_id: 'j',
      title: 'Fix add: stuck',
      answer: 'baton inbox',
    });
    const signed = createHmac('sha256', 'a-key-of-mine')
      .update(`${headers['x-baton-timestamp']}.${body}`)
      .digest('hex');
    expect(headers['x-baton-signature']).toBe(`sha256=${signed}`);
    expect(readFileSync(path.join(stage.home, 'baton.db')).includes('a-key-of-mine'), 'the key is not kept').toBe(
      false,
    );
  });

  test('by a command, by ntfy and by Slack', async () => {
    const { url, heard } = await listener();
    const stage = new JobStage();
    stage.extra = { SLACK_URL: url };
    await stage.ok('notify', 'add', 'file', '--command', `sh -c "cat > ${stage.home}/told.json"`);
    await stage.ok('notify', 'add', 'phone', '--ntfy', url, '--allow-private');
    await stage.ok('notify', 'add', 'team', '--slack-env', 'SLACK_URL', '--allow-private');
    await stuckJob(stage);
    expect(JSON.parse(readFileSync(path.join(stage.home, 'told.json'), 'utf8'))).toMatchObject({ run_id: 'j' });
    expect(heard.find(({ headers }) => headers.title !== undefined)?.headers.title).toBe('Fix add: stuck');
    expect(heard.some(({ body }) => body.includes('"text":"Fix add: stuck'))).toBe(true);
  });

  test('is tried again; and the log knows who could not be told, while the job goes on', async () => {
    const { url, heard } = await listener(500, 503);
    const stage = new JobStage();
    await stage.ok('notify', 'add', 'slow', '--webhook', url, '--allow-private');
    await stage.ok('notify', 'add', 'gone', '--command', 'false');
    await stuckJob(stage);
    expect(heard).toHaveLength(3);
    expect(new Set(heard.map(({ body }) => JSON.parse(body).id)).size).toBe(1);
    const { items } = (await stage.json('events', '--run', 'system')).printed as { items: Record<string, unknown>[] };
    expect(items.filter(({ type }) => type === 'NoticeFailed')).toMatchObject([{ data: { name: 'gone', run: 'j' } }]);
    expect((await stage.json('job', 'show', 'j')).printed.status).toBe('INTERVENTION_REQUIRED');
  }, 60_000);

  test.each([
    ['this machine, unless that is allowed', [], 'leads to this machine'],
    ['elsewhere than it was told', ['--allow-private'], 'answered with 302'],
  ])('never reaches %s', async (_, flags, reason) => {
    const { url, heard } = await listener(302);
    const stage = new JobStage();
    await stage.ok('notify', 'add', 'it', '--webhook', url, ...flags);
    const { code, err } = await stage.cli('notify', 'test', 'it');
    expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
    expect(heard).toHaveLength(flags.length);
  });

  test('is listed, tried and removed by name', async () => {
    const { url, heard } = await listener();
    const stage = new JobStage();
    await stage.ok('notify', 'add', 'it', '--webhook', url, '--allow-private');
    await stage.ok('notify', 'test', 'it');
    expect(JSON.parse(heard[0]?.body ?? '{}')).toMatchObject({ title: 'Baton can reach you' });
    expect((await stage.json('notify', 'list')).printed.items).toMatchObject([{ name: 'it', kind: 'webhook' }]);
    expect((await stage.cli('notify', 'add', 'it', '--desktop')).err).toContain('ID_TAKEN');
    await stage.ok('notify', 'rm', 'it');
    expect((await stage.cli('notify', 'rm', 'it')).err).toContain('NOTIFIER_NOT_FOUND');
    expect((await stage.cli('notify', 'add', 'x', '--desktop', '--ntfy', url)).code).toBe(2);
    expect((await stage.cli('notify', 'add', 'x', '--webhook', 'file:///etc/passwd')).code).toBe(2);
  });
});
