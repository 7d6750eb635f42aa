import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentSecrets } from '../../src/system/environment-secrets.js';
import { filesBelow, spellings, storedBodies } from './canaries.js';
import { makeErrands } from './errand-home.js';
import { cli } from './in-process.js';

/** One secret per place, so that a hit says where it came through. */
const SECRETS = {
  title: 'canary-title-9f31c2',
  request: 'canary-request-77ab01',
  answer: 'canary-answer-"quoted"\\and-5d20',
  reason: 'canary-reason-c4e8aa',
  check: 'canary-check-0b9d17',
  cwd: 'canary-cwd-e1f260',
  actor: 'canary-actor-3a7c55',
  key: 'canary-key-88d1f4',
  address: 'canary-address-1c93d0',
};
type Place = keyof typeof SECRETS;
const ENV = {
  ...Object.fromEntries(Object.entries(SECRETS).map(([place, value]) => [`${place.toUpperCase()}_TOKEN`, value])),
  ADDRESS_TOKEN: undefined,
  DATABASE_URL: `postgres://anna:${SECRETS.address}@db/shop`,
};

let home: string;
const said: string[] = [];

beforeAll(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'baton-canary-'));
  const secrets = environmentSecrets(ENV);
  const { title, request, answer, reason, check, cwd, actor, key, address } = SECRETS;
  await makeErrands(home, {
    secrets,
    answer: inEverySpelling(answer),
    request: `${inEverySpelling(request)} ${address}`,
    origin: { actor, key: { scope: 'test', key, payload: 'p' } },
    orders: { 'titled-1': { title: `fix ${title} now`, check: { argv: ['echo', check], cwd }, review: true } },
  });
  await makeErrands(home, { secrets, answer: reason, orders: { 'failed-2': { agent: 'broken' } } });
  await makeErrands(home, { secrets, answer: 'x'.repeat(400_000) + answer, orders: { 'large-3': {} } });
  for (const argv of COMMANDS) {
    const { out, err } = await cli(home, ...argv);
    said.push(out, err);
  }
  const bodies = await storedBodies(home);
  expect(bodies.length).toBeGreaterThan(5);
  said.push(...bodies);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const COMMANDS = [
  ['runs'],
  ['runs', '--json'],
  ['events'],
  ['events', '--json'],
  ['audit', 'verify', '--json'],
  ['audit', 'head', '--json'],
  ['audit', 'show', 'titled', '--json'],
  ['audit', 'show', 'failed'],
  ['audit', 'export'],
  ['store', 'check', '--json'],
  ['store', 'stats', '--json'],
];

function inEverySpelling(secret: string): string {
  return spellings(secret).join(' and ');
}

/** Every file, output and body in which any spelling of the secret is found. */
function hits(place: Place): string[] {
  const texts = [
    ...filesBelow(home).map((file) => [path.relative(home, file), readFileSync(file).toString('latin1')] as const),
    ...said.map(
      (text, index) => [`output ${index}: ${COMMANDS[Math.floor(index / 2)]?.join(' ') ?? 'body'}`, text] as const,
    ),
  ];
  const spelt = spellings(SECRETS[place]);
  return texts.flatMap(([name, text]) => (spelt.some((one) => text.includes(one)) ? [name] : []));
}

describe('a secret of the environment is in no byte of the home, of exports and of what is printed', () => {
  test.each<Place>(['title', 'request', 'answer', 'reason', 'check', 'cwd', 'address'])(
    'when it came as %s',
    (place) => {
      expect(hits(place)).toEqual([]);
    },
  );

  test.each<Place>(['actor', 'key'])('when it came as the %s of a command', (place) => {
    expect(hits(place)).toEqual([]);
  });

  test('and the search would find one', () => {
    said.push('so: canary-title-9f31c2');
    expect(hits('title')).toHaveLength(1);
  });
});
