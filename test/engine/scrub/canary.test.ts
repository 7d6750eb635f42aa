import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errandDecider } from '../../../src/core/errand/errand-decider.js';
import type { RunSummary } from '../../../src/core/kernel/run-summary.js';
import type { FoldedRun } from '../../../src/engine/folded-run.js';
import type { AnyEvent, Machine } from '../../../src/engine/machines.js';
import { sealBody, sealEvents } from '../../../src/engine/seal.js';
import { testPorts } from '../test-ports.js';

const ALPHABETS = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  words: 'correct horse-battery_staple.',
  symbols: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  escapes: '\\"/nrtbfu0019afé\n\t',
  lines: 'a\r\n\t b',
  cyrillic: 'абвгдежзиклмнопрстуфхцчшщыюя',
  'beyond two bytes': '€😀𝔘a漢字"\\ \u2028\u007f\u0001',
  'one letter': 'a',
};

const anySecret = fc
  .constantFrom(...Object.values(ALPHABETS))
  .chain((alphabet) => fc.string({ unit: fc.constantFrom(...alphabet), minLength: 8, maxLength: 60 }))
  .filter((secret) => secret.trim().length >= 8);

/** Written without the code under test; `around` is what a program encodes together with the secret. */
type Spelling = (secret: string, around: readonly [string, string]) => { written: string; mustGo: string };
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const python = (text: string) =>
  json(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const whole =
  (write: (secret: string) => string): Spelling =>
  (secret) => ({ written: write(secret), mustGo: write(secret.trim()) });
const inBase64 =
  (encoding: 'base64' | 'base64url'): Spelling =>
  (secret, [before, behind]) => {
    const first = Buffer.byteLength(before + secret.slice(0, secret.indexOf(secret.trim())));
    const text = Buffer.from(before + secret + behind).toString(encoding);
    const last = first + Buffer.byteLength(secret.trim());
    return { written: text, mustGo: text.slice(Math.ceil((first * 8) / 6), Math.floor((last * 8) / 6)) };
  };

const SPELLINGS: Record<string, Spelling> = {
  plain: whole((secret) => secret),
  'in JSON': whole(json),
  'in JSON twice': whole((secret) => json(json(secret))),
  'in JSON of Python': whole(python),
  'in a URL': whole(encodeURIComponent),
  'in a URL in lower case': whole((secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase())),
  'in a form': whole((secret) => new URLSearchParams({ a: secret }).toString().slice(2)),
  'in hex': whole((secret) => Buffer.from(secret).toString('hex')),
  'in upper-case hex': whole((secret) => Buffer.from(secret).toString('hex').toUpperCase()),
  'in base64': inBase64('base64'),
  'in base64 for URLs': inBase64('base64url'),
};

const anyText = fc.string({ unit: fc.constantFrom(...'xyz \n"\\/é😀{}:,n'), maxLength: 12 });
const anyKey = fc.string({ unit: fc.constantFrom(...'klmé"\\'), maxLength: 4 }).map((key) => `k${key}`);

type Planted = { secret: string; mustGo: string; leaf: string };
const anyPlanted = (spell: Spelling): fc.Arbitrary<Planted> =>
  fc.tuple(anySecret, fc.tuple(anyText, anyText), anyText, anyText).map(([secret, around, before, behind]) => {
    const { written, mustGo } = spell(secret, around);
    return { secret, mustGo, leaf: before + written + behind };
  });

/** Any JSON in which the leaf stands in strings and in keys, alone and among others. */
const anyJsonWith = (leaf: string): fc.Arbitrary<object> => {
  const text = fc.oneof(fc.constant(leaf), anyText);
  const key = fc.oneof({ weight: 1, arbitrary: fc.constant(leaf) }, { weight: 3, arbitrary: anyKey });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, text, tie('list'), tie('record'), fc.constantFrom(null, true, 0, -1.5)),
    list: fc.array(tie('tree'), { maxLength: 4 }),
    record: fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
  }));
  return fc.record({ title: fc.constant(leaf), tree: tree as fc.Arbitrary<unknown> });
};

const anyCase = (spell: Spelling) =>
  anyPlanted(spell).chain((planted) => anyJsonWith(planted.leaf).map((value) => ({ ...planted, value })));

describe.each(Object.entries(SPELLINGS))('a secret %s', (_, spell) => {
  test('is in no event, and the event is otherwise the same', () => {
    fc.assert(
      fc.property(anyCase(spell), ({ secret, mustGo, leaf, value }) => {
        const { sealed, folded } = seal(secret, { type: 'Happened', ...value }, leaf);
        const data = sealed.events[0]?.data ?? '';
        const stored = JSON.parse(data);
        expect(shapeOf(stored)).toEqual(shapeOf(value));
        expect(data.length).toBeLessThanOrEqual(JSON.stringify(value).length);
        expect(folded.state).toEqual({ ...stored, type: 'Happened' });
        const { hash: _hash, data: _data, ...columns } = sealed.events[0] ?? {};
        const { dedupe, inbox, summary } = sealed;
        expectGone(mustGo, [stored, columns, dedupe, inbox, summary]);
      }),
    );
  });

  test('is in no body, and JSON stays JSON', () => {
    fc.assert(
      fc.property(anyCase(spell), fc.constantFrom(undefined, 2), ({ secret, mustGo, value }, indent) => {
        const text = JSON.stringify(value, null, indent);
        const body = bodyOf(secret, text);
        expectGone(mustGo, JSON.parse(body));
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(Buffer.byteLength(text));
      }),
    );
  });

  test('is in no text', () => {
    fc.assert(
      fc.property(anyPlanted(spell), ({ secret, mustGo, leaf }) => {
        const text = `${leaf} and ${leaf}`;
        expectGone(mustGo, bodyOf(secret, text));
        expect(bodyOf(secret, text).length).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

function bodyOf(secret: string, text: string): string {
  return new TextDecoder().decode(sealBody(testPorts({}, [secret]), text).body.bytes);
}

const RESTING: RunSummary = {
  ...{ status: 'resting', title: '', agent: null, project: null, parent: null, owes: false, wakeAtMs: null },
  ...{ waitingFor: null, ended: false, costMicroUsd: 0, tokens: 0, activeMs: 0, handoffs: 0 },
};

/** A machine that keeps the last event as its state and says it everywhere. */
const keeper = {
  ...(errandDecider as unknown as Machine),
  evolve: (_: object, event: AnyEvent) => event,
  inbox: (event: AnyEvent) => ({ close: JSON.stringify(event) }),
  summary: (state: object) => ({ ...RESTING, title: (state as { title: string }).title }),
} as Machine;

function seal(secret: string, event: AnyEvent, text: string) {
  const folded: FoldedRun = {
    run: 'run',
    machine: keeper,
    state: {},
    version: 0,
    head: '',
    epoch: 0,
    snapshotVersion: 0,
  };
  const origin = {
    actor: text,
    key: { scope: text, key: text, payload: 'hash' },
    answer: (state: object) => JSON.stringify(state),
  };
  return { sealed: sealEvents(testPorts({}, [secret]), folded, [event], origin, {}), folded };
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) return { fields: Object.values(value).map(shapeOf) };
  return typeof value === 'string' ? 'text' : value;
}

function expectGone(mustGo: string, value: unknown): void {
  for (const text of textsOf(value)) if (text.includes(mustGo)) expect.fail(`${mustGo} is in ${text}`);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsOf(item)]);
}
