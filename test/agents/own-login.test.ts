import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../src/testing/index.js';
import { filesBelow } from '../audit/canaries.js';
import { JobStage } from '../jobs/job-stage.js';
import { CLAUDE, CODEX } from './real-agents.js';
import { DONE, MEND, runs } from './real-stage.js';

type Cli = 'codex' | 'claude';

const LONG_MS = 120_000;
const OWN = 'sk-own-c4nary-7f3a90b1c2d4';
const FAR_MS = 10 ** 12;

/** What the programs themselves would have written when somebody logged in. */
const LOGINS: Readonly<Record<Cli, (folder: string) => { env: Record<string, string>; bin: string }>> = {
  codex(folder) {
    writeFileSync(path.join(folder, 'auth.json'), JSON.stringify({ OPENAI_API_KEY: OWN }), { mode: 0o600 });
    return { env: { CODEX_HOME: folder }, bin: CODEX };
  },
  claude(folder) {
    const claudeAiOauth = {
      ...{ accessToken: OWN, refreshToken: 'none', expiresAt: Date.now() + FAR_MS },
      ...{ scopes: ['user:inference', 'user:profile'], subscriptionType: 'max' },
    };
    writeFileSync(path.join(folder, '.credentials.json'), JSON.stringify({ claudeAiOauth }), { mode: 0o600 });
    return { env: { CLAUDE_CONFIG_DIR: folder }, bin: CLAUDE };
  },
};

async function scene(who: Cli, loggedIn: boolean) {
  const model = await startModelServer({ turns: [{ steps: [runs(who, MEND), { text: DONE }] }] });
  onTestFinished(() => model.close());
  const stage = new JobStage();
  stage.configure({ sandbox: { mode: 'bwrap' } });
  const folder = path.join(stage.folder, 'login');
  mkdirSync(folder);
  const { env, bin } = LOGINS[who](loggedIn ? folder : stage.folder);
  stage.extra = loggedIn ? env : { ...env, CODEX_HOME: folder, CLAUDE_CONFIG_DIR: folder };
  const address = who === 'codex' ? `${model.url}/v1` : model.url;
  const base = who === 'codex' ? address : `${address}/v1`;
  await stage.ok('agent', 'register', 'own', '--adapter', who, '--bin', bin, '--login', 'own', '--base-url', base);
  return { stage, model };
}

describe.each(['codex', 'claude'] as const)('%s with a login of its own', { timeout: LONG_MS }, (who) => {
  test('uses it through the proxy, which counts and keeps nothing of it', async () => {
    const { stage, model } = await scene(who, true);
    const words = ['--agent', 'own', '--supervisor', 'none', '--check', 'node test/add.test.js'];
    const { printed } = await stage.json('run', 'Fix add', '--id', 'j', ...words);
    expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
    const shown = model.served().map(({ headers }) => headers.authorization);
    expect(new Set(shown)).toEqual(new Set([`Bearer ${OWN}`]));
    expect((printed.metrics as { tokens: number }).tokens).toBeGreaterThan(0);
    const kept = filesBelow(stage.home).filter((file) => readFileSync(file, 'latin1').includes(OWN));
    expect(kept).toEqual([]);
  });

  test('is forked in the folder of that login, and the conversation of the other job is left as it was', async () => {
    const { stage, model } = await scene(who, true);
    await stage.json('run', 'Fix add', '--id', 'j', '--agent', 'own', '--supervisor', 'none');
    const transcripts = () =>
      filesBelow(path.join(stage.folder, 'login'))
        .filter((file) => /[0-9a-f]{12}\.jsonl$/.test(file))
        .map((file) => readFileSync(file, 'utf8'));
    const [original = ''] = transcripts();
    await stage.ok('job', 'fork', 'j', '--id', 'f');
    expect((await stage.json('job', 'run', 'f')).printed.status).toBe('SUCCESS');
    const jobs = model
      .served()
      .at(-1)
      ?.prompts.flatMap((prompt) => /"job_id": "(\w)"/.exec(prompt)?.[1] ?? []);
    expect(jobs).toEqual(['j', 'f']);
    expect(transcripts()).toHaveLength(2);
    expect(transcripts()).toContain(original);
  });

  test('and nobody logged in parks the job with one item', async () => {
    const { stage } = await scene(who, false);
    const ended = stage.cli('run', 'Fix add', '--id', 'j', '--agent', 'own', '--supervisor', 'none');
    let items: { kind: string; title: string }[] = [];
    while (items.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      items = (await stage.json('inbox')).printed.items as typeof items;
    }
    expect(items.map(({ kind }) => kind)).toEqual(['login']);
    await stage.ok('job', 'cancel', 'j');
    await ended;
  });
});
