import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WireEvent } from '../../src/engine/session/session-desk.js';
import { startModelServer } from '../../src/testing/index.js';
import { connectInProcess } from '../../src/transports/in-process.js';
import { openBaton } from '../../src/wiring.js';
import { hostOptions } from './transports/ways-in.js';

const TEXT = 'One word after the other, slowly enough that somebody else can look. '.repeat(2);

test('what a session says is streamed to clients of another process too, and whole before it is stored', async () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'baton-relay-')));
  const model = await startModelServer({ turns: [{ steps: [{ text: TEXT, delta_delay_ms: 100, delta_chars: 4 }] }] });
  const env = { PATH: process.env.PATH, OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'scripted' };
  const how = { home: path.join(root, 'home'), cwd: root, env, writer: 'main', drives: true } as const;
  const [driving, looking] = [await openBaton(how), await openBaton(how)];
  onTestFinished(async () => {
    await Promise.all([driving.close(), looking.close(), model.close()]);
    rmSync(root, { recursive: true, force: true });
  });

  const client = connectInProcess(hostOptions(driving.sessions));
  await client.submit({ id: '1', op: { type: 'configure_session', cwd: root } });
  const [configured] = await until(client.events, 'session_configured');
  const session = String((configured?.msg as { session_id?: string } | undefined)?.session_id);
  await client.submit({ id: '2', op: { type: 'user_input', items: [{ type: 'text', text: 'speak' }] } });
  await until(client.events, 'task_started');

  const other = connectInProcess(hostOptions(looking.sessions));
  await other.submit({ id: 'a', op: { type: 'attach', session_id: session } });
  const seen = await until(other.events, 'agent_message');
  const pieces = seen.flatMap(({ msg }) => (msg.type === 'agent_message_delta' ? [String(msg.delta)] : []));
  expect(pieces.length).toBeGreaterThan(3);
  expect(TEXT.startsWith(pieces.join(''))).toBe(true);
  other.close();
  client.close();
  await expect.poll(() => readdirSync(path.join(how.home, 'live')), { timeout: 20_000 }).toEqual([]);
}, 120_000);

async function until(events: AsyncIterable<WireEvent>, type: string): Promise<WireEvent[]> {
  const seen: WireEvent[] = [];
  const iterator = events[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await iterator.next();
    if (done || value.msg.type === 'error') throw new Error(JSON.stringify(value));
    seen.push(value);
    if (value.msg.type === type) return seen;
  }
}
