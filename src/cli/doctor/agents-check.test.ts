import { describe, expect, test } from 'vitest';
import { KNOWN_AGENTS } from './agents.js';
import { agentCheck, checkModel } from './agents-check.js';
import { machine, said } from './fake-probe.js';
import type { DoctorEnv, Finding } from './finding.js';
import type { RunResult } from './probe.js';

type Machine = NonNullable<Parameters<typeof machine>[0]>;

function installed(name: string, more: Machine = {}, version: RunResult = said('2.1.197 (Agent)\n')): DoctorEnv {
  const program = `/bin/${name}`;
  return machine({ programs: { [name]: program }, results: { [`${program} --version`]: version }, ...more });
}

async function examine(name: string, env: DoctorEnv): Promise<Finding | undefined> {
  const agent = KNOWN_AGENTS.find((known) => known.name === name);
  return agent && (await agentCheck(agent)(env))[0];
}

describe('an agent', () => {
  test('that is not installed is optional', async () => {
    expect(await examine('codex', machine())).toMatchObject({ topic: 'codex', status: 'absent' });
  });

  test('that is not logged in is a problem, with the way to log in', async () => {
    expect(await examine('codex', installed('codex'))).toEqual({
      topic: 'codex',
      status: 'problem',
      text: '2.1.197   not logged in',
      fix: 'codex login   or: export OPENAI_API_KEY=…',
    });
  });

  test.each([
    ['hangs', { type: 'timeout' }, 'did not answer in 5 s'],
    ['exits 1', said('2.0.0', 1, 'broken install\n'), '(1): "broken install"'],
    ['prints garbage', said('\u0000\u001b]0;pwned\u0007\n'), 'told no version'],
    ['prints nothing', said(''), 'told no version'],
    ['is killed', { type: 'killed', signal: 'SIGSEGV' }, 'SIGSEGV'],
    ['cannot be started', { type: 'failed', reason: 'EACCES' }, 'EACCES'],
  ] satisfies [string, RunResult, string][])(
    'that %s when asked for its version is a problem',
    async (_, result, text) => {
      const env = installed('claude', { env: { ANTHROPIC_API_KEY: 'k' } }, result);
      const finding = await examine('claude', env);
      expect(finding).toMatchObject({ status: 'problem', text: expect.stringContaining(text) });
    },
  );
});

describe('the login', () => {
  const login = (name: string, more: Machine) => examine(name, installed(name, more));

  test.each([
    ['claude', '/home/anna/.claude/.credentials.json', '{"claudeAiOauth":{"accessToken":"s3cret"}}', 'plan login'],
    ['codex', '/home/anna/.codex/auth.json', '{"OPENAI_API_KEY":null,"tokens":{"id_token":"s3cret"}}', 'plan login'],
    ['codex', '/home/anna/.codex/auth.json', '{"OPENAI_API_KEY":"s3cret","tokens":null}', 'API key (auth.json)'],
    ['gemini', '/home/anna/.gemini/oauth_creds.json', '{"access_token":"s3cret"}', 'plan login'],
    ['opencode', '/home/anna/.local/share/opencode/auth.json', '{"x":{"key":"s3cret"}}', 'own login'],
  ])('of %s is found in %s and its secret is not shown', async (name, file, text, kind) => {
    const finding = await login(name, { files: { [file]: text } });
    expect(finding).toMatchObject({ status: 'ok', text: expect.stringContaining(kind) });
    expect(JSON.stringify(finding)).not.toContain('s3cret');
  });

  test.each([
    ['claude', 'ANTHROPIC_API_KEY', 'API key'],
    ['claude', 'CLAUDE_CODE_OAUTH_TOKEN', 'plan login'],
    ['codex', 'OPENAI_API_KEY', 'API key'],
    ['codex', 'CODEX_API_KEY', 'API key'],
    ['gemini', 'GEMINI_API_KEY', 'API key'],
    ['gemini', 'GOOGLE_API_KEY', 'API key'],
  ])('of %s is taken from %s and only the name is shown', async (name, variable, kind) => {
    const finding = await login(name, { env: { [variable]: 's3cret' } });
    expect(finding).toMatchObject({ status: 'ok', text: expect.stringContaining(`${kind} (${variable})`) });
    expect(JSON.stringify(finding)).not.toContain('s3cret');
    expect(await login(name, { env: { [variable]: '' } })).toMatchObject({ status: 'problem' });
  });

  test.each(['{}', '', 'not json', '[]', 'null', '{"OPENAI_API_KEY":null}'])(
    'is missing when its file holds only %j',
    async (text) => {
      const files = { '/home/anna/.codex/auth.json': text };
      expect(await login('codex', { files })).toMatchObject({ status: 'problem' });
    },
  );

  test('is looked for where the agent was told to keep it', async () => {
    const files = { '/elsewhere/auth.json': '{"tokens":{"a":"b"}}' };
    expect(await login('codex', { files, env: { CODEX_HOME: '/elsewhere' } })).toMatchObject({ status: 'ok' });
    expect(await login('codex', { files })).toMatchObject({ status: 'problem' });
  });

  test('of claude on macOS may be in the keychain', async () => {
    const asked = '/usr/bin/security find-generic-password -s Claude Code-credentials';
    const results = { '/bin/claude --version': said('2.1.0'), [asked]: said('keychain: …') };
    const env = machine({ platform: 'darwin', programs: { claude: '/bin/claude' }, results });
    expect(await examine('claude', env)).toMatchObject({ status: 'ok', text: expect.stringContaining('plan login') });
  });

  test('a secret of the environment that a broken agent prints is left out', async () => {
    const failed = said('', 1, 'bad key sk-live-123456 given');
    const env = installed('claude', { env: { ANTHROPIC_API_KEY: 'sk-live-123456' } }, failed);
    expect(await examine('claude', env)).toMatchObject({
      text: expect.stringContaining('bad key <ANTHROPIC_API_KEY>'),
    });
  });
});

test('the built-in model agent needs only its key', async () => {
  expect(await checkModel(machine())).toMatchObject([{ status: 'absent' }]);
  expect(await checkModel(machine({ env: { OPENAI_API_KEY: 's3cret' } }))).toEqual([
    { topic: 'model', status: 'ok', text: 'built in   API key (OPENAI_API_KEY)' },
  ]);
});
