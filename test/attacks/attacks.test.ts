import { expect, test } from 'vitest';
import { ServerStage } from '../server/server-stage.js';
import { ATTACKS } from './all-attacks.js';
import { tryAttack } from './attack.js';

test('every attack that is quick is refused, and the server answers as before', { timeout: 180_000 }, async () => {
  const stage = await ServerStage.start();
  const { hostname: host, port } = new URL(stage.server.url);
  const target = { host, port: Number(port), token: stage.token };
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
