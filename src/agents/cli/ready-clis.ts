import os from 'node:os';
import { claudeDialect } from '../claude/claude-dialect.js';
import { codexDialect } from '../codex/codex-dialect.js';
import { type Environment, type Settings, upstreamOf } from '../metering/providers.js';
import { findCli } from './cli-program.js';
import type { Dialect } from './dialect.js';

export type ReadyCli = { id: Dialect['name']; login: 'key' | 'own' };

/** In the order in which they are taken when nobody is named. */
const DIALECTS: readonly Dialect[] = [claudeDialect, codexDialect];

/** As long as a person waits for an answer to something else. */
const VERSION_MS_MAX = 5_000;

/**
 * Command-line agents that need no registration: they are installed, start, and somebody is logged in. Nothing is asked
 * of a model.
 */
export async function readyClis(environment: Environment, settings: Settings): Promise<ReadyCli[]> {
  const home = environment.HOME || os.homedir();
  const found = await Promise.all(
    DIALECTS.map(async (dialect): Promise<ReadyCli[]> => {
      const login = loginOf(dialect, home, environment, settings);
      if (login === undefined) return [];
      const cli = await findCli(dialect, undefined, environment, { versionMsMax: VERSION_MS_MAX });
      return 'problem' in cli ? [] : [{ id: dialect.name, login }];
    }),
  );
  return found.flat();
}

function loginOf(
  dialect: Dialect,
  home: string,
  environment: Environment,
  settings: Settings,
): ReadyCli['login'] | undefined {
  if (dialect.ownLogin(environment, home)) return 'own';
  return 'upstream' in upstreamOf(dialect.provider, { environment, settings }) ? 'key' : undefined;
}
