import { printable } from '../printable.js';
import type { Check } from './finding.js';

const TIMEOUT_MS = 2_000;
const DEFAULT_PORT = 5432;

/** Only whether something listens there. The address may hold a password: host and port are all that is shown. */
export const checkPostgres: Check = async ({ probe, env }) => {
  const store = env.BATON_STORE;
  if (!store) return [{ topic: 'postgres', status: 'absent', text: 'not configured   optional' }];
  const target = parseStore(store);
  if (!target) {
    const text = 'BATON_STORE is set, but not to postgres://user@host:port/database';
    return [
      { topic: 'postgres', status: 'problem', text, fix: 'unset BATON_STORE   or: export BATON_STORE=postgres://…' },
    ];
  }
  const shown = printable('path' in target ? target.path : `${target.host}:${target.port}`);
  const why = await probe.connect(target, TIMEOUT_MS);
  if (!why) return [{ topic: 'postgres', status: 'ok', text: `${shown} answers; login not tried` }];
  const fix = 'start PostgreSQL there   or: unset BATON_STORE';
  return [{ topic: 'postgres', status: 'problem', text: `${shown} cannot be reached (${why})`, fix }];
};

function parseStore(store: string): { host: string; port: number } | { path: string } | undefined {
  if (!/^postgres(ql)?:\/\//.test(store) || !URL.canParse(store)) return undefined;
  const url = new URL(store);
  const port = Number(url.port) || DEFAULT_PORT;
  const socketFolder = url.searchParams.get('host');
  if (socketFolder?.startsWith('/')) return { path: `${socketFolder}/.s.PGSQL.${port}` };
  return { host: socketFolder || url.hostname.replace(/^\[|\]$/g, '') || 'localhost', port };
}
