import os from 'node:os';
import { findProgram } from '../../sandbox/find-program.js';
import { claudeDialect } from '../claude/claude-dialect.js';
import { codexDialect } from '../codex/codex-dialect.js';
import { type Environment, type Settings, upstreamOf } from '../metering/providers.js';
import type { Dialect } from './dialect.js';

export type ReadyCli = { id: Dialect['name']; login: 'key' | 'own' };

/** In the order in which they are taken when nobody is named. */
const DIALECTS: readonly Dialect[] = [claudeDialect, codexDialect];

/** Command-line agents that need no registration: they are installed, and somebody is logged in. Nothing is started. */
export function readyClis(environment: Environment, settings: Settings): ReadyCli[] {
  const home = environment.HOME || os.homedir();
  return DIALECTS.flatMap((dialect): ReadyCli[] => {
    if ('reason' in findProgram(dialect.name, { cwd: '/', PATH: environment.PATH })) return [];
    if (dialect.ownLogin(environment, home)) return [{ id: dialect.name, login: 'own' }];
    const key = upstreamOf(dialect.provider, { environment, settings });
    return 'upstream' in key ? [{ id: dialect.name, login: 'key' }] : [];
  });
}
