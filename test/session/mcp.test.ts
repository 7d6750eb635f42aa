/** Tools of servers that the user has named, used by a session. */
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/engine/ports.js';
import { processSource } from '../../src/sandbox/process-source.js';
import { McpServers } from '../../src/session/mcp/mcp-servers.js';
import { offeredTools } from '../../src/session/mcp/offered-tools.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { SessionStage } from './session-stage.js';

const SERVER = path.join(import.meta.dirname, 'mcp-server.mjs');

let stage: SessionStage;
beforeEach(() => {
  stage = new SessionStage();
  stage.servers = { small: { command: command('stdio') } };
});
afterEach(() => stage.close());

function command(how: string): [string, ...string[]] {
  return [process.execPath, SERVER, how, path.join(stage.root, 'starts')];
}
const starts = (): number => (stage.read(path.join(stage.root, 'starts')) ?? '').split('\n').length - 1;
const isAlive = (pid: number): boolean => processSource.find(pid)?.zombie === false;
const use = async (tool: string, given: object = {}) => stage.perform(await stage.deed(`mcp__small__${tool}`, given));

describe('a server of tools', () => {
  test('is started once for a session, and offers its tools under clean names', async () => {
    const { tools, problems } = await stage.hands.servers.offered(stage.held);
    const [, change] = offeredTools(tools);
    expect(change).toMatchObject({ type: 'function', name: 'mcp__small__change', description: 'Changes it.' });
    expect(change?.parameters).toMatchObject({ required: ['to'] });
    expect(problems.size).toBe(0);
    expect((await use('look')).output).toBe('looked 1');
    expect((await use('look')).output).toBe('looked 2');
    expect(starts()).toBe(1);
  });

  test('is used with what the model gave, and its answer is told to client and model', async () => {
    expect(await use('change', { to: 'blue' })).toEqual({
      success: true,
      isDenied: false,
      said: { success: true, result: { content: [{ type: 'text', text: 'changed to blue' }] } },
      output: 'changed to blue',
    });
    const judged = await stage.deed('mcp__small__change', { to: 'red' });
    expect(JSON.parse(stage.text(judged.shown))).toEqual({ server: 'small', tool: 'change', arguments: { to: 'red' } });
    expect(judged.title).toBe('change of small');
  });

  test('is believed only as far as the user says', async () => {
    const facts = async (tool: string) => (await stage.deed(`mcp__small__${tool}`, {})).facts;
    expect(await facts('look')).toMatchObject({ holds: false, isKnownSafe: false });
    stage.servers = { small: { command: command('stdio'), trust_annotations: true } };
    expect(await facts('look')).toMatchObject({ holds: false, isKnownSafe: true });
    expect(await facts('change')).toMatchObject({ holds: false, isKnownSafe: false });
    stage.servers = { small: { command: command('stdio'), approve: 'auto' } };
    expect(await facts('change')).toMatchObject({ holds: true, isKnownSafe: false });
  });

  test('that fails, gives too much or has gone says so, and is started again', async () => {
    expect(await use('refuses')).toMatchObject({ success: false, output: 'It failed: the table is locked' });
    const big = await use('big');
    expect(big.said.result.truncated).toBe(true);
    expect(Buffer.byteLength(big.output)).toBeLessThan(33 * 1024);
    expect((await use('exits')).output).toMatch(/^It failed: the server small failed: /);
    expect((await use('look')).output).toBe('looked 1');
    expect(starts()).toBe(2);
  });

  test('that does not answer in its time is told to the model', async () => {
    stage.callMsMax = 300;
    expect(await use('slow')).toMatchObject({
      success: false,
      output: 'It failed: the server small did not answer slow within 300 ms',
    });
    const late = await stage.perform(await stage.deed('mcp__small__slow', {}), { msMax: 20 });
    expect(late.output, 'the session has no more time').toContain('within 20 ms');
  });

  test('whose use is called off lets go at once', async () => {
    const judged = await stage.deed('mcp__small__slow', {});
    const settled = stage.perform(judged).then(
      () => 'ended',
      () => 'rejected',
    );
    stage.abort.abort();
    expect(await settled).toBe('rejected');
  });

  test('that cannot be started, or ends at once, is a reason for the model and not a failure of the session', async () => {
    stage.servers = { small: { command: ['no-such-program'] } };
    expect(await stage.answered('mcp__small__look', {})).toMatch(/no-such-program is in none of/);
    stage.servers = { small: { command: command('dies') } };
    expect(await stage.answered('mcp__small__look', {})).toMatch(/the server small failed: .*/);
  });

  test.each(['no-such-program', 'dies'])(
    'that fails to start (%s) leaves no timer that keeps a process',
    async (how) => {
      const timers = new Set<object>();
      const clock: Clock = {
        ...nodeClock,
        after(ms, call) {
          const timer = {};
          timers.add(timer);
          const forget = nodeClock.after(ms, () => timers.delete(timer) && call());
          return () => {
            timers.delete(timer);
            forget();
          };
        },
      };
      const { gate, environment } = stage.hands;
      const small = { command: how === 'dies' ? command('dies') : ([how] as [string]) };
      const servers = new McpServers({ gate, environment, clock, configured: async () => ({ small }) });
      expect((await servers.offered(stage.held)).problems.has('small')).toBe(true);
      await servers.close();
      expect(timers.size).toBe(0);
    },
  );

  test('gets the variables that are named and none of the secrets, and starts in no workspace', async () => {
    stage.servers = { small: { command: command('stdio'), env: ['PLAIN', 'BATON_TOKEN'] } };
    const { cwd, env } = JSON.parse((await use('surroundings')).output);
    expect(cwd).toBe('/');
    expect(env).toMatchObject({ PLAIN: 'seen' });
    expect(env).not.toHaveProperty('SOME_TOKEN');
    expect(JSON.stringify(env)).not.toContain(stage.secrets[0]);
  });

  test('is ended with everything it started when Baton stops, also one that hangs', async () => {
    const pid = Number((await use('leaves')).output);
    expect(isAlive(pid)).toBe(true);
    stage.servers = { small: { command: command('stdio') }, stuck: { command: command('hangs') } };
    const asking = stage.hands.servers.offered(stage.held);
    while ((await stage.rows.list({})).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    await stage.hands.servers.close();
    const { problems } = await asking;
    expect([...problems.keys()]).toEqual(['stuck']);
    expect(isAlive(pid)).toBe(false);
    expect(await stage.rows.list({})).toEqual([]);
  });
});
