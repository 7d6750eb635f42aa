import os from 'node:os';
import type { CliSpec } from '../agent-spec.js';
import type { Environment } from '../metering/providers.js';
import type { Dialect, Login } from './dialect.js';

type FoundLogin = (Login & { baseUrl?: string }) | { problem: string };

/** Its own when it has one, unless a key is wanted; a key when there is one; else nobody can ask it. */
export function cliLogin({ login }: CliSpec, dialect: Dialect, environment: Environment): FoundLogin {
  if (login === 'key') return { mode: 'key' };
  const own = dialect.ownLogin(environment, environment.HOME || os.homedir());
  if (own) return { mode: 'own', ...own };
  if (login === 'own') return { problem: `${dialect.name} is not logged in: ${dialect.logIn}` };
  return { mode: 'key' };
}

/** Whoever asks with a key shares it with all others who do; a login of its own is shared by those that use it. */
export function cliLoginName(spec: CliSpec, dialect: Dialect, environment: Environment): string {
  const found = cliLogin(spec, dialect, environment);
  if ('problem' in found || found.mode === 'own') return dialect.name;
  return spec.baseUrl === undefined ? dialect.provider : new URL(spec.baseUrl).host;
}
