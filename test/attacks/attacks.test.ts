import { expect, test } from 'vitest';
import { ServerStage } from '../server/server-stage.js';
import { ATTACKS } from './all-attacks.js';
import { tryAttack } from './attack.js';

const LONG_MS = 180_000;

function targetOf({ server, token }: ServerStage) {
  const { hostname: host, port } = new URL(server.url);
  return { host, port: Number(port), token };
}

test('whoever sends slowly is cut off', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  const slow = ATTACKS.filter((attack) => attack.slow);
  const results = await Promise.all(slow.map((attack) => tryAttack(attack, targetOf(stage))));
  expect(results.filter(({ refused }) => !refused)).toEqual([]);
  expect(stage.problems).toEqual([]);
});

test('every attack that is quick is refused, and the server answers as before', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  const target = targetOf(stage);
  const let_through: string[] = [];
  for (const attack of ATTACKS.filter(({ slow }) => !slow)) {
    const { name, said, refused } = await tryAttack(attack, target);
    if (!refused) let_through.push(`${name}: ${said}`);
  }
  expect(let_through).toEqual([]);
  expect((await stage.get('/runs')).status).toBe(200);
  expect((await stage.get('/runs?kind=job')).json.items, 'nothing was made').toEqual([]);
  expect(stage.problems).toEqual([]);
});
