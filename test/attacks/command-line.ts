/** `node tools/attacks.mjs`: every attack against a real server, one a line with what it was told; see docs/guides/server.md. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ServerProcess } from '../server/server-process.js';
import { ATTACKS } from './all-attacks.js';
import { type Attack, exchange, type Result, tryAttack } from './attack.js';
import { head, type Target } from './raw-http.js';

const ROUNDS = 5;
const GROWTH_MB_MAX = 100;

/** Returns the exit code. */
export async function attacksFromCommandLine(root: string): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-attacks-'));
  const server = new ServerProcess(path.join(folder, 'home'), { bin: path.join(root, 'bin/baton.cjs') });
  try {
    await server.start();
    const { hostname: host, port } = new URL(server.url);
    const target = { host, port: Number(port), token: server.token };
    const results = await tryAll(target);
    for (const { name, said, refused } of results)
      console.log(`${refused ? 'refused' : 'NOT REFUSED'}  ${name}: ${said}`);
    const grown = await growth(target, server.pid);
    const works = await stillWorks(target);
    const through = results.filter(({ refused }) => !refused).length;
    const memory =
      grown === null ? 'memory not measured here' : `memory grew by ${grown} MB over ${ROUNDS} more rounds`;
    console.log(
      `${results.length} attacks, ${through} not refused; ${memory}; the server ${works ? 'answers' : 'IS GONE'}`,
    );
    return through === 0 && works && (grown ?? 0) < GROWTH_MB_MAX ? 0 : 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those that take long wait beside each other. */
async function tryAll(target: Target): Promise<readonly Result[]> {
  const slow = Promise.all(ATTACKS.filter((one) => one.slow).map((attack) => tryAttack(attack, target)));
  const results = await tryInTurn(
    ATTACKS.filter((one) => !one.slow),
    target,
  );
  return [...results, ...(await slow)];
}

async function tryInTurn(attacks: readonly Attack[], target: Target): Promise<Result[]> {
  const results: Result[] = [];
  for (const attack of attacks) results.push(await tryAttack(attack, target));
  return results;
}

/** What the same again costs, once everything has been loaded. Null where processes cannot be looked at. */
async function growth(target: Target, pid: number): Promise<number | null> {
  const before = residentMb(pid);
  const quick = ATTACKS.filter((one) => !one.slow);
  for (let round = 0; round < ROUNDS; round += 1) await tryInTurn(quick, target);
  const after = residentMb(pid);
  return before === null || after === null ? null : Math.round(after - before);
}

function residentMb(pid: number): number | null {
  try {
    const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

async function stillWorks(target: Target): Promise<boolean> {
  const { statuses } = await exchange(target, head(target, 'GET /api/v1/runs HTTP/1.1'));
  return statuses[0] === 200;
}
