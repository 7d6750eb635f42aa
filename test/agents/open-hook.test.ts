import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Hook, openHook } from '../../src/agents/approvals/open-hook.js';

let hook: Hook;
afterEach(() => hook.close());

const ask = (body: string, token = hook.token) =>
  fetch(hook.url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body });

test('answers whoever shows the token, and nobody else', async () => {
  hook = await openHook(async ({ tool_name: name }) => ({ heard: name }));
  expect(await (await ask('{"tool_name":"Bash"}')).json()).toEqual({ heard: 'Bash' });
  expect((await ask('{}', 'another')).status).toBe(403);
  expect((await fetch(hook.url)).status).toBe(403);
});

test('a question that cannot be judged has no answer that could be taken for a yes', async () => {
  hook = await openHook(async () => Promise.reject(new Error('the store is closed')));
  await expect(ask('{}')).rejects.toThrow();
});

test('who leaves in the middle of a question takes nothing down', async () => {
  hook = await openHook(async () => ({}));
  const socket = connect(hook.port, '127.0.0.1');
  const head = `POST / HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${hook.token}\r\ncontent-length: 100\r\n\r\n{"too`;
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  socket.destroy();
  await once(socket, 'close');
  expect((await ask('{}')).status).toBe(200);
});
