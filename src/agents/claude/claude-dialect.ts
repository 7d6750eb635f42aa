import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Dialect, homeOf, type Turn } from '../cli/dialect.js';
import { objectOf } from '../cli/fields.js';
import { claudeReader } from './claude-events.js';
import { answerClaude } from './claude-hook.js';

const URL = 'https://api.anthropic.com/v1';

export const claudeDialect: Dialect = {
  name: 'claude',
  provider: 'anthropic',
  oldest: [2, 1, 100],
  install: 'npm i -g @anthropic-ai/claude-code',
  logIn: 'claude, then /login',
  ownLogin(environment, home) {
    const folder = environment.CLAUDE_CONFIG_DIR || path.join(home, '.claude');
    return hasLogin(path.join(folder, '.credentials.json')) ? { folder, baseUrl: URL } : undefined;
  },
  invoke(turn) {
    const { program, thread, prompt, state } = turn;
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const id = thread ?? randomUUID();
    const argv = [
      ...[program, '-p', '--output-format', 'stream-json', '--verbose'],
      ...(thread ? ['--resume', thread] : ['--session-id', id]),
      ...guardOf(turn),
      ...hookOf(turn),
      ...(turn.spec.model === undefined ? [] : ['--model', turn.spec.model]),
    ];
    // Without a word it goes on with the very call that waited for a person.
    const stdin = thread && turn.verdict && turn.verdict.kind !== 'network' ? '' : prompt;
    return { argv, env: { ...QUIET, CLAUDE_CONFIG_DIR: homeOf(turn), ...wayOf(turn) }, stdin, thread: id };
  },
  reader: () => claudeReader(),
  answer: answerClaude,
  transcripts: { folder: 'projects', nameOf: (workspace) => workspace.replace(/[^a-zA-Z0-9]/g, '-') },
  ownHosts: /(?:^|\.)(?:anthropic\.com|claude\.(?:ai|com))$/,
  threadLost: /no conversation found/i,
};

const HOOK_SECONDS_MAX = 60;

const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  // Shells it has put into the background would live on after its last word.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
};

/** Our hook decides. Should it not be heard, nobody is there to answer, and outside of a sandbox nothing is done then. */
function guardOf({ held, spec }: Turn): string[] {
  if (held) return ['--dangerously-skip-permissions'];
  const edits = spec.sandbox === 'read-only' ? 'plan' : 'acceptEdits';
  return ['--permission-mode', edits, '--permission-prompts', 'none', '--setting-sources', 'user'];
}

function hookOf({ hook }: Turn): string[] {
  if (!hook) return [];
  const headers = { Authorization: `Bearer ${hook.token}` };
  const call = { type: 'http', url: hook.url, headers, timeout: HOOK_SECONDS_MAX };
  return ['--settings', JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: [call] }] } })];
}

function wayOf({ held, login, way }: Turn): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: way.baseUrl,
    ...(login.mode === 'key' && { ANTHROPIC_API_KEY: way.token }),
    // It refuses root otherwise, which is nobody inside.
    ...(held && { IS_SANDBOX: '1' }),
  };
}

function hasLogin(file: string): boolean {
  try {
    return Object.values(objectOf(readFileSync(file, 'utf8'))).some(Boolean);
  } catch {
    return false; // not logged in
  }
}
