import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentSecrets } from '../../src/system/environment-secrets.js';
import { openHome } from '../../src/wiring.js';
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
  said.push(...(await storedBodies()));
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

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), bytes.toString('hex'), base64];
}

/** Compressed in the file, so they are looked at as they come out. */
async function storedBodies(): Promise<string[]> {
  const { store, close } = await openHome({ home, env: {}, writer: 'main', readOnly: true });
  const refs = (await store.feed(0, 10_000)).flatMap(({ data }) => [...data.matchAll(/"sha256":"([0-9a-f]{64})"/g)]);
  const bodies = await Promise.all(refs.map(([, sha256 = '']) => store.body(sha256)));
  await close();
  expect(bodies.length).toBeGreaterThan(5);
  return bodies.map((body) => Buffer.from(body ?? '').toString());
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
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
