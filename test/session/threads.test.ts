import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { SessionClient } from '../../src/engine/session/session-client.js';
import type { WireEvent } from '../../src/engine/session/session-desk.js';
import { type ModelServer, startModelServer } from '../../src/testing/index.js';
import { connectInProcess } from '../../src/transports/in-process.js';
import { openBaton } from '../../src/wiring.js';
import { hostOptions } from './transports/ways-in.js';

type Message = WireEvent['msg'] & Record<string, unknown>;

class Threads {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'baton-threads-')));
  model!: ModelServer;
  baton!: Awaited<ReturnType<typeof openBaton>>;

  async open(): Promise<this> {
    const steps = [{ text: 'It is noted.' }];
    this.model = await startModelServer({
      turns: [{ when: { prompt: 'slow' }, steps: [{ ...steps[0], delay_ms: 300 }] }, { steps }],
    });
    const env = { PATH: process.env.PATH, OPENAI_BASE_URL: `${this.model.url}/v1`, OPENAI_API_KEY: 'scripted' };
    this.baton = await openBaton({
      home: path.join(this.root, 'home'),
      cwd: this.root,
      env,
      writer: 'main',
      drives: true,
    });
    return this;
  }

  client(): Client {
    return new Client(connectInProcess(hostOptions(this.baton.sessions)), this.root);
  }

  async close(): Promise<void> {
    await this.baton.close();
    await this.model.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

class Client {
  private readonly connection: SessionClient;
  private readonly events: AsyncIterator<WireEvent>;
  private readonly cwd: string;
  private sent = 0;

  constructor(connection: SessionClient, cwd: string) {
    this.connection = connection;
    this.events = connection.events[Symbol.asyncIterator]();
    this.cwd = cwd;
  }

  async ask(op: Record<string, unknown>, until: string): Promise<Message> {
    this.sent += 1;
    await this.connection.submit({ id: `s-${this.sent}`, op });
    return this.until(until);
  }

  async until(type: string): Promise<Message> {
    for (;;) {
      const { value, done } = await this.events.next();
      if (done) throw new Error(`ended before ${type}`);
      if (value.msg.type === type) return value.msg as Message;
      if (value.msg.type === 'error') throw new Error(JSON.stringify(value.msg));
    }
  }

  configure(more: Record<string, unknown> = {}): Promise<Message> {
    return this.ask({ type: 'configure_session', cwd: this.cwd, ...more }, 'session_configured');
  }

  say(text: string, more: Record<string, unknown> = {}): Promise<Message> {
    return this.ask({ type: 'user_input', items: [{ type: 'text', text }], ...more }, 'task_complete');
  }
}

let threads: Threads;
afterEach(() => threads.close());

/** What people said in the newest request to the model. */
const said = (): readonly string[] => threads.model.served().at(-1)?.prompts ?? [];

test('a response of one session can be gone on with in another one, and in a later one of its own [R516]', async () => {
  threads = await new Threads().open();
  const first = threads.client();
  await first.configure();
  const { response_id: noted } = await first.say('The door is green.');
  await first.say('The roof is red.');

  const second = threads.client();
  await second.configure({ resume_from: noted });
  await second.say('Which colour has the door?');
  expect(said()).toEqual(['The door is green.', 'Which colour has the door?']);

  await first.say('And before the roof?', { last_response_id: noted });
  expect(said()).toEqual(['The door is green.', 'And before the roof?']);
});

test('what cannot be a response is not looked for in other sessions', async () => {
  threads = await new Threads().open();
  await threads.client().configure();
  const { store } = threads.baton;
  const runs = store.runs.bind(store);
  const listed: object[] = [];
  store.runs = (filter) => {
    listed.push(filter);
    return runs(filter);
  };
  await expect(threads.client().configure({ resume_from: 'a-word' })).rejects.toThrow('SESSION_NOT_FOUND');
  expect(listed).toEqual([]);
  await threads.client().configure({ resume_from: 'resp_of-another-house' });
  expect(listed).toHaveLength(1);
});

test('each thread of work has a session of its own, and they work at the same time [R517]', async () => {
  threads = await new Threads().open();
  const clients = [threads.client(), threads.client(), threads.client()];
  const ids = await Promise.all(clients.map(async (client) => (await client.configure()).session_id));
  expect(new Set(ids).size).toBe(3);
  const ends = await Promise.all(clients.map((client, index) => client.say(`slow ${index}`)));
  expect(ends.map(({ last_agent_message: message }) => message)).toEqual(Array(3).fill('It is noted.'));
});

test('a folder is all that configure_session needs; everything newer has a default [R612, R614]', async () => {
  threads = await new Threads().open();
  const client = threads.client();
  expect(await client.configure()).toMatchObject({
    ...{ cwd: threads.root, history_entry_count: 0, resumed: false, approval_policy: 'on-request' },
    sandbox_policy: { mode: 'workspace-write', writable_roots: [], network_access: false },
  });
  await client.say('The door is green.');
  const again = await client.configure({
    model: 'another',
    classification: 'Component.Civilian.A2A.Peer.Ephemeral.Public',
  });
  expect(again).toMatchObject({ model: 'another', resumed: true, history_entry_count: 1 });
  await client.say('Which colour?');
  expect(said()).toEqual(['The door is green.', 'Which colour?']);
});

test('a client that names itself has one task of one input, also when it comes back and sends it again', async () => {
  threads = await new Threads().open();
  const [first, again] = [threads.client(), threads.client()];
  const { session_id: session } = await first.configure({ client: 'my-editor' });
  await first.say('The door is green.');
  await again.ask({ type: 'attach', session_id: session, client: 'my-editor' }, 'task_complete');
  // Both clients count their messages: this is the second of each.
  const input = { type: 'user_input', items: [{ type: 'text', text: 'The door is green.' }] };
  expect(await again.ask(input, 'warning')).toMatchObject({ code: 'REPEATED' });
  expect(threads.model.served()).toHaveLength(1);
});

test('a session is set up once by one message, and whoever sends it again is told so', async () => {
  threads = await new Threads().open();
  const [first, again] = [threads.client(), threads.client()];
  const { session_id: session } = await first.configure();
  const settings = { model: 'another', client: 'my-editor' };
  await first.configure(settings);
  await again.ask({ type: 'attach', session_id: session, client: 'my-editor' }, 'session_configured');
  const repeated = { type: 'configure_session', cwd: threads.root, ...settings };
  expect(await again.ask(repeated, 'warning')).toMatchObject({ code: 'REPEATED' });
  const { last_agent_message: message } = await again.say('The door is green.');
  expect(message).toBe('It is noted.');
});

test('a session that was shut down is attached to, seen from its beginning and gone on with', async () => {
  threads = await new Threads().open();
  const first = threads.client();
  const { session_id: session } = await first.configure();
  await first.say('The door is green.');
  await first.ask({ type: 'shutdown' }, 'shutdown_complete');
  const later = threads.client();
  await later.ask({ type: 'attach', session_id: session }, 'shutdown_complete');
  await later.say('Which colour?');
  expect(said()).toEqual(['The door is green.', 'Which colour?']);
  await later.ask({ type: 'shutdown' }, 'shutdown_complete');
});
