import path from 'node:path';
import { readJson } from '../../contracts/shared/read-json.js';
import { tilde } from '../../settings/home.js';
import { printable } from '../printable.js';
import type { Check, Finding } from './finding.js';

const CONNECT_TIMEOUT_MS = 2_000;

export const checkServer: Check = async ({ probe, home, userHome }) => {
  const file = path.join(home, 'server.json');
  const text = await probe.readText(file);
  if (text === undefined) return [well('none running; commands work without one')];
  const left = (what: string): Finding[] => [
    { topic: 'server', status: 'warning', text: what, fix: `rm ${tilde(file, userHome)}` },
  ];
  const server = parseServer(text);
  if (!server) return left(`${tilde(file, userHome)} cannot be read as {"pid","url"}`);
  if (!probe.isAlive(server.pid)) return left(`none running; process ${server.pid} left server.json behind`);
  const { hostname, port, protocol } = server.url;
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  const why = await probe.connect(target, CONNECT_TIMEOUT_MS);
  if (why) return left(`process ${server.pid} does not listen at ${printable(server.url.origin)} (${why})`);
  return [well(`running at ${printable(server.url.origin)} (process ${server.pid})`)];
};

function well(text: string): Finding {
  return { topic: 'server', status: 'ok', text };
}

function parseServer(text: string): { pid: number; url: URL } | undefined {
  const read = readJson(text);
  if ('denial' in read || typeof read.value !== 'object' || read.value === null) return undefined;
  const { pid, url } = read.value as { pid?: unknown; url?: unknown };
  // Zero and negative numbers would mean process groups.
  if (!Number.isSafeInteger(pid) || (pid as number) <= 0 || typeof url !== 'string') return undefined;
  return /^https?:/.test(url) && URL.canParse(url) ? { pid: pid as number, url: new URL(url) } : undefined;
}
