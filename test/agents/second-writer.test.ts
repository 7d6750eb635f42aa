import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Turn } from '../../src/testing/index.js';
import { type CliName, type CliStage, cliStage, MEND, runs, says } from './cli-stage.js';
import { CLAUDE, CODEX } from './real-agents.js';

const LONG_MS = 120_000;
const WAIT = { timeout: 60_000, interval: 50 };
const BY_HAND = 'BY-HAND: what do you do?';
const MEDDLES: Turn = { when: { prompt: 'BY-HAND' }, steps: [{ text: says('STUCK').text ?? '' }] };
const DONE = says('COMPLETED', ['add.js']);

const FREE = ['--dangerously-skip-permissions'];

/** As a person would in a terminal: the tool itself, in the folder of the job, on its conversation. */
const COMMANDS: Readonly<Record<CliName, (thread: string, url: string) => readonly [string, ...string[]]>> = {
  codex: (thread, url) => [
    CODEX,
    ...['exec', '--dangerously-bypass-approvals-and-sandbox', '-c', 'model_provider="baton"', '-c'],
    `model_providers.baton={name="Mine",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`,
    ...['resume', '--json', '--skip-git-repo-check', thread, BY_HAND],
  ],
  claude: (thread) => [
    CLAUDE,
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--resume',
    thread,
    ...FREE,
    BY_HAND,
  ],
};

const workspace = ({ stage }: CliStage, name: string) => path.join(stage.home, 'jobs/j/workspace', name);
const run = ({ stage }: CliStage, name: CliName, ...more: string[]) =>
  stage.json('run', 'Fix add', '--id', 'j', '--agent', name, '--supervisor', 'none', ...more);
const show = async ({ stage }: CliStage) => (await stage.json('job', 'show', 'j')).printed;

/** What it printed, when it is done. */
async function meddle(here: CliStage, name: CliName): Promise<string> {
  const { stage, model } = here;
  const told = JSON.stringify((await stage.json('audit', 'show', 'j')).printed);
  const thread = /"thread":"([0-9a-f-]{36})"/.exec(told)?.[1] ?? '';
  const state = path.join(stage.home, 'jobs/j/agents', name);
  const [program, ...args] = COMMANDS[name](thread, model.url);
  const own = { CODEX_HOME: state, CLAUDE_CONFIG_DIR: state, ANTHROPIC_BASE_URL: model.url, IS_SANDBOX: '1' };
  const env = { PATH: stage.path, HOME: stage.folder, ...stage.extra, ...own };
  const child = spawn(program, args, { cwd: workspace(here, ''), env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk));
  await new Promise((resolve) => child.on('close', resolve));
  return out;
}

const timesRun = (here: CliStage) => {
  const file = workspace(here, 'ran.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
};
const untilNapping = (here: CliStage) => vi.waitUntil(() => existsSync(workspace(here, 'napping')), WAIT);

/** Two writers: Claude Code lets both write, Codex only the first. */
describe.each(['codex', 'claude'] as const)(
  '%s, when somebody else goes on with its conversation',
  {
    timeout: LONG_MS,
  },
  (name) => {
    const NAP = `touch napping; until test -e go-on; do sleep 0.1; done; ${MEND}`;
    const stuck = async (...turns: Turn[]) => {
      const here = await cliStage({ turns: [...turns, { steps: [says('STUCK')] }] });
      await run(here, name, '--check', 'node test/add.test.js');
      await here.stage.ok('job', 'resubmit', 'j', '--guidance', 'Like this');
      return here;
    };

    test('while it works: the answer to its own ask counts, and what that used', async () => {
      const like = { when: { prompt: 'Like this' }, steps: [runs(name, NAP), DONE] };
      const here = await stuck(MEDDLES, like);
      const ended = here.stage.json('job', 'run', 'j');
      await untilNapping(here);
      const before = sumOf(here);
      const said = await meddle(here, name);
      expect(said).toContain(name === 'codex' ? 'already has an active writer' : 'I say STUCK.');
      const theirs = sumOf(here) - before;
      writeFileSync(workspace(here, 'go-on'), '');
      await ended;
      const { status, reason, metrics } = await show(here);
      expect([status, reason]).toEqual(['SUCCESS', null]);
      expect(metrics).toMatchObject({ tokens: sumOf(here) - theirs });
    });

    test('before it begins: it does its work all the same', async () => {
      const theirs = { when: { prompt: 'BY-HAND' }, steps: [runs(name, NAP), says('STUCK')] };
      const like = { when: { prompt: 'Like this' }, steps: [runs(name, MEND), DONE] };
      const here = await stuck(theirs, like);
      const meddled = meddle(here, name);
      await untilNapping(here);
      await here.stage.json('job', 'run', 'j');
      const { status, reason } = await show(here);
      expect([status, reason]).toEqual(['SUCCESS', null]);
      writeFileSync(workspace(here, 'go-on'), '');
      await meddled;
      const { out } = await here.stage.ok('job', 'log', 'j');
      expect(out.includes('it begins a new one')).toBe(name === 'codex');
    });

    test('while its question waits: on a yes it runs once; where the call was taken out of it, it asks again', async () => {
      const asks = runs(name, `echo ran >>ran.txt && ${MEND}`);
      const here = await cliStage({ turns: [MEDDLES, { steps: [asks, DONE] }] });
      const { stage } = here;
      await stage.ok('rule', 'add', 'ask', 'echo');
      expect((await run(here, name, '--check', 'node test/add.test.js')).printed.waiting_for).toBe(1);
      expect(await meddle(here, name)).toContain('I say STUCK.');
      // Claude Code carries out for them what waited there, and nobody knows afterwards whether it did.
      const theirs = name === 'claude' ? 1 : 0;
      expect(timesRun(here)).toBe(theirs);
      for (let yes = 1; yes <= 1 + theirs; yes += 1) {
        expect(timesRun(here), `before the yes ${yes}`).toBe(theirs);
        await stage.ok('answer', `${yes}`, '--approve');
        await stage.json('job', 'run', 'j');
      }
      const { status, reason } = await show(here);
      expect([status, reason, timesRun(here)]).toEqual(['SUCCESS', null, theirs + 1]);
    });
  },
);

const sumOf = (here: CliStage) => here.served().reduce((sum, { tokens }) => sum + tokens, 0);
