import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Dialect, homeOf, type Turn } from '../cli/dialect.js';
import { objectOf } from '../cli/fields.js';
import { writeInside } from '../process/write-inside.js';
import { codexReader } from './codex-events.js';
import { CodexTalk } from './codex-talk.js';

const PLAN_URL = 'https://chatgpt.com/backend-api/codex';
const KEY_URL = 'https://api.openai.com/v1';
const FORM_FILE = 'answer-form.json';

export const codexDialect: Dialect = {
  name: 'codex',
  provider: 'openai',
  oldest: [0, 150, 0],
  install: 'npm i -g @openai/codex',
  logIn: 'codex login',
  ownLogin(environment, home) {
    const folder = environment.CODEX_HOME || path.join(home, '.codex');
    const login = loginIn(path.join(folder, 'auth.json'));
    return login && { folder, baseUrl: login.tokens ? PLAN_URL : KEY_URL };
  },
  invoke(turn) {
    const { program, thread, prompt, state } = turn;
    const form = turn.form && writeInside(state, FORM_FILE, JSON.stringify(turn.form));
    const env = { CODEX_HOME: homeOf(turn), ...keyOf(turn) };
    if (turn.asks) return { argv: [program, 'app-server', ...providerOf(turn)], env, stdin: '' };
    const options = [...guardOf(turn), ...providerOf(turn), ...modelOf(turn)];
    const common = ['--json', '--skip-git-repo-check', ...(form ? ['--output-schema', form] : [])];
    const argv = [
      program,
      'exec',
      ...options,
      ...(thread ? ['resume'] : []),
      ...common,
      ...(thread ? [thread] : []),
      '-',
    ];
    return { argv, env, stdin: prompt };
  },
  reader: (turn, permits) => (turn.asks ? new CodexTalk(turn, permits) : codexReader()),
  transcripts: { folder: 'sessions' },
  ownHosts: /(?:^|\.)(?:chatgpt|openai)\.com$/,
  threadLost: /thread\/resume failed|no rollout found|failed to read thread/i,
};

/** What it would ask others for by itself: a newer release, figures for its maker, plugins and apps. */
const QUIET = ['check_for_update_on_startup', 'analytics.enabled', 'features.plugins', 'features.apps'].flatMap(
  (name) => ['-c', `${name}=false`],
);

/** Its own sandbox is off when ours is on. */
function guardOf({ held, spec }: Turn): string[] {
  if (held || spec.sandbox === 'danger-full-access') return ['--dangerously-bypass-approvals-and-sandbox'];
  return ['--sandbox', spec.sandbox];
}

function providerOf({ way, login }: Turn): string[] {
  const who = login.mode === 'own' ? 'requires_openai_auth=true' : 'env_key="OPENAI_API_KEY"';
  const provider = `{name="Baton",base_url=${JSON.stringify(way.baseUrl)},wire_api="responses",${who}}`;
  return [...QUIET, '-c', 'model_provider="baton"', '-c', `model_providers.baton=${provider}`];
}

function modelOf({ spec }: Turn): string[] {
  return spec.model === undefined ? [] : ['-c', `model=${JSON.stringify(spec.model)}`];
}

function keyOf({ login, way }: Turn): Record<string, string> {
  return login.mode === 'own' ? {} : { OPENAI_API_KEY: way.token };
}

function loginIn(file: string): { tokens: boolean } | undefined {
  try {
    const { tokens, OPENAI_API_KEY: key } = objectOf(readFileSync(file, 'utf8'));
    return tokens || key ? { tokens: Boolean(tokens) } : undefined;
  } catch {
    return undefined; // not logged in
  }
}
