import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { isWaitedFor, timePasses } from '../hurried-clock.js';
import { type CliName, type CliStage, cliStage, processesOf, register, says, script } from './cli-stage.js';

vi.mock('../../src/system/node-clock.js', () => import('../hurried-clock.js'));
// When somebody is asked again is shown elsewhere.
vi.mock('../../src/core/job/job-matrix.js', async (original) => ({
  ...(await original<object>()),
  backOffMs: () => 50,
}));

/** So long who has said its last word may stay. */
const LINGER_MS = 10_000;
const LONG_MS = 120_000;
const WAIT = { timeout: 60_000, interval: 50 };
const DONE = JSON.stringify(says('COMPLETED').text);

const OTHER = JSON.stringify(JSON.stringify({ ...JSON.parse(says('COMPLETED').text ?? ''), job_id: 'other' }));

/** What each prints when it says something, and at its end. */
const LINES: Readonly<Record<CliName, { says(text: string): string; end(text: string): string }>> = {
  codex: {
    says: (text) => `{"type":"item.completed","item":{"type":"agent_message","text":${text}}}`,
    end: () => '{"type":"turn.completed"}',
  },
  claude: {
    says: (text) => `{"type":"assistant","message":{"content":[{"type":"text","text":${text}}]}}`,
    end: (text) => `{"type":"result","subtype":"success","is_error":false,"result":${text}}`,
  },
};

describe.each(['codex', 'claude'] as const)('%s', { timeout: LONG_MS }, (name) => {
  const { says: speak, end } = LINES[name];
  const line = (text: string) => `cat <<'LINE'\n${text}\nLINE`;
  const answers = [line(speak(DONE)), line(end(DONE))].join('\n');

  /** One that tells its version and then does what the script says. */
  async function scene(body: string, version = 'echo 99.0.0') {
    const here = await cliStage({ turns: [] }, { fake: true });
    const program = `if [ "$1" = --version ]; then ${version}; exit; fi\ncat >/dev/null\n${body}`;
    await register(here.stage, name, script(here.stage, `bad-${name}`, program));
    return here;
  }
  const run = ({ stage }: CliStage, ...more: string[]) =>
    stage.json('run', 'Fix add', '--id', 'j', '--agent', name, '--supervisor', 'none', ...more);
  const nothingIsLeft = ({ stage }: CliStage) => vi.waitUntil(() => processesOf(stage).length === 0, WAIT);

  test('answers', async () => {
    expect((await run(await scene(answers))).printed).toMatchObject({ status: 'SUCCESS' });
  });

  test.each([
    ['is not there', '', '', /there is no .*nowhere; install it: npm i -g/],
    ['is too old', answers, 'echo 0.1.2', /0\.1\.2 is too old, \d+\.\d+\.\d+ is needed: npm i -g/],
    ['tells no version', answers, 'echo hello', /--version tells no version; install it anew: npm i -g/],
    ['exits 0 without an answer', '', undefined, /it ended without an answer/],
    ['breaks off in the middle and exits 0', line(speak(DONE)), undefined, /it ended without an answer/],
    ['crashes after its answer', `${answers}\nexit 9`, undefined, /the agent crashed: exit 9/],
    ['crashes with words', 'echo "no space in the attic" >&2; exit 9', undefined, /exit 9: no space in the attic/],
    ['prints one line of 100 MB', `head -c 100000000 /dev/zero | tr '\\0' x; echo; ${answers}`, undefined, null],
    [
      'prints garbage between its events',
      `echo '{{{'; printf '\\0\\377\\n'; echo null; echo '[]'; echo '"x"'; ${answers}`,
      undefined,
      null,
    ],
    [
      'prints events of other shapes',
      `echo '{"type":"item.completed"}{}'; echo '{"type":["x"],"item":7,"message":null}'; echo '{"type":"item.completed","item":null}'; echo '{"type":"assistant","message":{"content":"x"}}'; ${answers}`,
      undefined,
      null,
    ],
    ['answers for another job', `${line(speak(OTHER))}\n${line(end(OTHER))}`, undefined, /\/job_id is "other", not j/],
    ['answers twice', `${line(speak('"first"'))}\n${answers}`, undefined, null],
  ])('that %s', async (what, body, version, reason) => {
    const here = await scene(body, version);
    if (what === 'is not there') await register(here.stage, name, path.join(here.stage.folder, 'nowhere'));
    const { printed } = await run(here);
    if (reason) expect(printed.reason).toMatch(reason);
    else expect(printed.status).toBe('SUCCESS');
  });

  test('that stays after its last word', async () => {
    const here = await scene(`${answers}\nsleep 302.4`);
    const ended = run(here);
    await vi.waitUntil(() => isWaitedFor(LINGER_MS), WAIT);
    expect(processesOf(here.stage).some(({ line }) => line.startsWith('sleep 302.4'))).toBe(true);
    await timePasses(LINGER_MS);
    expect((await ended).printed.status).toBe('SUCCESS');
    await nothingIsLeft(here);
  });

  test.each(['1', '2'])('that prints 1 GB on descriptor %s takes no memory for it', async (descriptor) => {
    const here = await scene(`yes "a line of words" | head -c 1000000000 >&${descriptor}\n${answers}`);
    const before = process.memoryUsage().rss;
    const { printed } = await run(here);
    const grown = process.memoryUsage().rss - before;
    expect(printed.status).toBe('SUCCESS');
    expect(grown).toBeLessThan(300_000_000);
  });

  test('that ignores SIGTERM is ended all the same', async () => {
    const here = await scene(`trap '' TERM\nwhile :; do sleep 302.2; done`);
    const { printed } = await run(here, '--timeout-seconds', '2');
    await nothingIsLeft(here);
    expect(printed.reason).toContain('did not answer in time');
  });

  test('that leaves a daemon leaves none', async () => {
    const here = await scene(`(setsid nohup sleep 302.3 >/dev/null 2>&1 &)\nsleep 0.3\n${answers}`);
    expect((await run(here)).printed.status).toBe('SUCCESS');
    await nothingIsLeft(here);
  });

  test('that writes outside its workspace does not get there', async () => {
    const here = await scene('');
    const outside = path.join(here.stage.folder, 'outside.txt');
    const body = `if [ "$1" = --version ]; then echo 99.0.0; exit; fi\ncat >/dev/null\necho x >'${outside}' || echo refused >&2\n${answers}`;
    await register(here.stage, name, script(here.stage, `bad-${name}`, body));
    expect((await run(here)).printed.status).toBe('SUCCESS');
    expect(existsSync(outside)).toBe(false);
  });

  test('without its own login says how to log in', async () => {
    const here = await scene(answers);
    await register(here.stage, name, path.join(here.stage.folder, `bad-${name}.sh`), '--login', 'own');
    here.stage.extra = { ...here.stage.extra, HOME: here.stage.folder };
    await here.stage.ok('job', 'create', 'Fix add', '--id', 'j', '--agent', name, '--supervisor', 'none', '--activate');
    const ended = here.stage.cli('job', 'run', 'j');
    await vi.waitUntil(async () => (await here.stage.ok('inbox')).out.includes('not logged in'), WAIT);
    await here.stage.ok('job', 'cancel', 'j');
    await ended;
  });

  test('without a key names the variable', async () => {
    const here = await scene(answers);
    here.stage.extra = {};
    const { printed } = await run(here);
    expect(printed.reason).toMatch(/(OPENAI|ANTHROPIC)_API_KEY is not set/);
  });
});
