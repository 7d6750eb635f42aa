import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../src/transports/connect.js';
import { eventsIn, runBaton, type Scene, sessionScene, startBaton } from './session-scene.js';

const line = (id: string, op: object): string => `${JSON.stringify({ id, op })}\n`;
const configure = ({ folder }: Scene): string => line('a', { type: 'configure_session', cwd: folder });
const say = (id: string, text: string): string => line(id, { type: 'user_input', items: [{ type: 'text', text }] });

test('on standard input and output nothing is printed before the first event; at the end of input it ends with 0', async () => {
  const scene = await sessionScene();
  const { code, out, err } = await runBaton(scene, ['session'], configure(scene));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(eventsIn(out).map(({ id, msg }) => [id, msg.type])).toEqual([['a', 'session_configured']]);
});

test('[R503] a task that runs at the end of input is interrupted, and told so', async () => {
  const scene = await sessionScene();
  const started = startBaton(scene, ['session']);
  started.write(configure(scene) + say('b', 'hang'));
  await started.said('agent_message_delta');
  started.end();
  const { code, out } = await started.ran;
  expect({ code, last: eventsIn(out).at(-1) }).toMatchObject({
    code: 0,
    last: { id: 'b', msg: { code: 'INTERRUPTED' } },
  });
});

test('what a command had printed when it was interrupted is kept', async () => {
  const scene = await sessionScene();
  const started = startBaton(scene, ['session']);
  started.write(configure(scene) + say('b', 'print'));
  await started.said('exec_command_output_delta');
  started.write(line('c', { type: 'interrupt' }) + say('d', 'greet'));
  await started.said('task_complete');
  started.end();
  const events = eventsIn((await started.ran).out);
  expect(events.find(({ msg }) => msg.type === 'exec_command_end')).toMatchObject({
    ...{ id: 'b', msg: { stdout: 'so far\n', stderr: '', exit_code: -1, interrupted: true } },
  });
});

test('every end of input interrupts what runs then', async () => {
  const scene = await sessionScene();
  const begins: [string[], string][] = [
    [['session'], configure(scene)],
    [['session', '--resume', 'LAST'], ''],
  ];
  for (const [args, first] of begins) {
    const started = startBaton(scene, args);
    started.write(first + say(`b${args.length}`, 'hang'));
    await started.said('agent_message_delta');
    started.end();
    const last = eventsIn((await started.ran).out).at(-1);
    expect(last).toMatchObject({ id: `b${args.length}`, msg: { code: 'INTERRUPTED' } });
  }
});

test('a session that is over is shut down again, and that ends the program, too', async () => {
  const scene = await sessionScene();
  await runBaton(scene, ['session'], configure(scene) + line('b', { type: 'shutdown' }));
  const started = startBaton(scene, ['session', '--resume', 'LAST']);
  started.write(line('c', { type: 'shutdown' }));
  const { code, out } = await started.ran;
  expect({ code, last: eventsIn(out).at(-1) }).toEqual({
    ...{ code: 0, last: { id: 'c', msg: { type: 'shutdown_complete' } } },
  });
});

test('an id that is too long, and a place behind the last event, are refused', async () => {
  const scene = await sessionScene();
  const { out } = await runBaton(scene, ['session'], configure(scene) + say('x'.repeat(201), 'greet'));
  const [configured, refused] = eventsIn(out);
  expect(refused?.msg).toMatchObject({ type: 'error', code: 'SCHEMA_INVALID' });
  const attach = line('a', { type: 'attach', session_id: configured?.msg.session_id, after: 99 });
  const events = eventsIn((await runBaton(scene, ['session'], attach)).out);
  expect(events).toMatchObject([{ id: 'a', msg: { type: 'error', code: 'SCHEMA_INVALID' } }]);
});

test('shutdown is answered, and ends the program with 0', async () => {
  const scene = await sessionScene();
  const started = startBaton(scene, ['session', '--stdio']);
  started.write(configure(scene) + line('b', { type: 'shutdown' }));
  const { code, out } = await started.ran;
  expect({ code, last: eventsIn(out).at(-1) }).toMatchObject({
    code: 0,
    last: { id: 'b', msg: { type: 'shutdown_complete' } },
  });
});

test('--resume is attached before the first line is read', async () => {
  const scene = await sessionScene();
  const before = eventsIn((await runBaton(scene, ['exec', 'greet me', '--json'])).out).filter(
    ({ seq }) => seq !== undefined,
  );
  const { code, out } = await runBaton(scene, ['session', '--resume', 'LAST']);
  const [attached, ...events] = eventsIn(out);
  expect({ code, attached }).toMatchObject({ code: 0, attached: { id: 'resume', msg: { resumed: true } } });
  expect(events).toEqual(before);
});

test('at addresses the real ones are printed first; tokens of the home count there; SIGTERM ends it with 0', async () => {
  const scene = await sessionScene();
  const started = startBaton(scene, ['session', '--listen', 'tcp://127.0.0.1:0', '--listen', 'ws://127.0.0.1:0']);
  const said = await started.said('ws://');
  const [tcp = '', ws = ''] = said
    .trim()
    .split('\n')
    .map((one) => String(JSON.parse(one).listening));
  const own = readFileSync(path.join(scene.env.BATON_HOME ?? '', 'token'), 'utf8').trim();
  expect(own, 'the token of the home is there before anybody connects').not.toBe('');
  const made = JSON.parse(
    (await runBaton(scene, ['token', 'create', '--name', 'laptop', '--role', 'steward', '--json'])).out,
  );
  for (const address of [tcp, ws]) {
    expect(address).toMatch(/^(tcp|ws):\/\/127\.0\.0\.1:[1-9]\d*$/);
    const client = await connect(address);
    await client.submit({ id: '1', op: { type: 'authenticate', token: made.token } });
    await client.submit({ id: '2', op: { type: 'configure_session', cwd: scene.folder } });
    const seen = [];
    for await (const { msg } of client.events) {
      seen.push(msg);
      if (seen.length === 2) break;
    }
    expect(seen).toMatchObject([{ type: 'authenticated', name: 'laptop' }, { type: 'session_configured' }]);
    client.close();
  }
  started.kill('SIGTERM');
  expect(await started.ran).toMatchObject({ code: 0 });
});

test('at addresses alone there is no session to go on with', async () => {
  const ran = await runBaton(await sessionScene(), ['session', '--listen', 'tcp://127.0.0.1:0', '--resume', 'LAST']);
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('--resume is for --stdio') });
});

const SERVING: readonly [args: string[], begun: string][] = [
  [['session', '--listen', 'tcp://127.0.0.1:0'], 'listening'],
  [['serve', '--port', '0', '--json', '--log-level', 'error'], '"url"'],
];

test.each(SERVING)('%j ends by SIGTERM with 0, by Ctrl-C with 130', async (args, begun) => {
  const scene = await sessionScene();
  for (const [signal, code] of [
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const) {
    const started = startBaton(scene, args);
    await started.said(begun);
    started.kill(signal);
    expect(await started.ran).toMatchObject({ code, err: '' });
  }
});

test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])(
  '[R503] on standard input %s ends it without a false error',
  async (signal) => {
    const scene = await sessionScene();
    for (const [first, until] of [
      ['', 'session_configured'],
      [say('b', 'hang'), 'agent_message_delta'],
    ] as const) {
      const started = startBaton(scene, ['session']);
      started.write(configure(scene) + first);
      await started.said(until);
      started.kill(signal);
      const { code, out, err } = await started.ran;
      expect({ code, err }).toEqual({ code: 130, err: '' });
      expect(eventsIn(out).filter(({ msg }) => msg.type === 'error')).toEqual([]);
    }
  },
);
