import { describe, expect, test } from 'vitest';
import { CONTRACTS } from '../../src/contracts/catalogue.js';
import type { SessionEvent } from '../../src/contracts/generated/types/event.js';
import type { Submission } from '../../src/contracts/generated/types/submission.js';
import { checkText } from '../../src/contracts/shared/contract.js';
import { ERRORS, isErrorCode } from '../../src/contracts/shared/errors.js';
import { baton } from '../cli/run-bin.js';
import { placesIn } from './places-in.js';
import { pathsBelow, pathsOf, type SchemaNode, schemaOf } from './schema-nodes.js';
import { SESSION_FILES, sessionLinesOf } from './session-lines.js';

type Message = { type: string; [field: string]: unknown };
type Line<Field extends string> = { id: string; seq?: number } & Record<Field, Message>;
type Refused = { code: string; hint: string; details?: { contract?: string } };
type Piece = { item_id: string; offset: number; delta: string };

const parsed = <T>(contract: 'submission' | 'event') => sessionLinesOf(contract).map((text) => JSON.parse(text) as T);
const SENT = parsed<Line<'op'> & Submission>('submission');
const SEEN = parsed<Line<'msg'> & SessionEvent>('event');

const ROOTS = { submission: schemaOf('submission'), event: schemaOf('event') };
const VARIANTS = {
  submission: ROOTS.submission.properties?.op?.oneOf ?? [],
  event: (ROOTS.event.properties?.msg?.allOf ?? []).flatMap((branch) => branch.then ?? []),
};
const MESSAGES: Record<keyof typeof VARIANTS, readonly Message[]> = {
  submission: SENT.map(({ op }) => op),
  event: SEEN.map(({ msg }) => msg),
};

describe.each(['submission', 'event'] as const)('the lines of examples/session: each %s', (contract) => {
  test('keeps its contract, in strict mode too', () => {
    const verdicts = sessionLinesOf(contract).map((text) => checkText(CONTRACTS[contract], text, { strict: true }));
    expect(verdicts.filter(({ allow }) => !allow)).toEqual([]);
  });

  test('is taken by baton validate --lines', () => {
    const { code, out } = baton(['validate', contract, SESSION_FILES[contract] ?? '', '--lines', '--strict']);
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, sessionLinesOf(contract).length]);
  });

  test('is one of the types there are, and together they show every field of every type', () => {
    expect(VARIANTS[contract].length).toBeGreaterThan(10);
    expect(VARIANTS[contract].flatMap((variant) => missingFrom(contract, variant))).toEqual([]);
    const known = VARIANTS[contract].map((variant) => typeOf(contract, variant));
    expect(MESSAGES[contract].filter(({ type }) => !known.includes(type))).toEqual([]);
    const places = new Set((contract === 'event' ? SEEN : SENT).flatMap((line) => [...placesIn(line)]));
    expect([...pathsOf(contract)].filter((path) => !places.has(path))).toEqual([]);
  });
});

describe('the lines of examples/session tell one story', () => {
  test('seq goes up and leaves numbers out, and streamed pieces have none', () => {
    const kept = SEEN.flatMap(({ seq }) => seq ?? []);
    expect(kept).toEqual([...new Set(kept)].toSorted((one, other) => one - other));
    expect(kept.at(-1)).toBeGreaterThan(kept.length);
    expect(SEEN.filter(({ seq, msg }) => seq !== undefined && msg.type.endsWith('_delta'))).toEqual([]);
  });

  test('every error has a code of the catalogue and its hint', () => {
    const errors = SEEN.filter(({ msg }) => msg.type === 'error').map(({ msg }) => msg as unknown as Refused);
    expect(errors.length).toBeGreaterThan(2);
    for (const { code, hint, details } of errors) {
      const known = isErrorCode(code) ? ERRORS[code].hint : undefined;
      expect([code, hint]).toEqual([code, known?.replace('<details.contract>', String(details?.contract))]);
    }
  });

  test('every id was sent once, and every event has one of them or none', () => {
    const ids = SENT.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(SEEN.filter(({ id }) => id !== '' && !ids.includes(id))).toEqual([]);
  });

  test('every task ends exactly once', () => {
    const of = (...types: string[]) =>
      SEEN.filter(({ seq, msg }) => seq && types.includes(msg.type)).map(({ id }) => id);
    expect(of('task_started').length).toBeGreaterThan(1);
    expect(of('task_complete', 'error')).toEqual(of('task_started'));
  });

  test('every approval answers a request, and every request is answered', () => {
    const answers = SENT.filter(({ op }) => op.type.endsWith('_approval')).map(({ op }) => op.id);
    const requests = SEEN.filter(({ msg }) => msg.type.endsWith('_approval_request')).map(({ msg }) => msg.call_id);
    expect([...new Set(answers)]).toEqual(requests);
  });

  test('the pieces of a text join to it, unless the turn was asked again', () => {
    const pieces = SEEN.filter(({ msg }) => 'delta' in msg && 'item_id' in msg).map(
      ({ msg }) => msg as unknown as Piece,
    );
    const texts = new Map<string, string>();
    for (const { item_id, offset, delta } of pieces) {
      const before = texts.get(item_id) ?? '';
      expect([item_id, offset]).toEqual([item_id, before.length]);
      texts.set(item_id, before + delta);
    }
    const whole = SEEN.flatMap(({ msg }) => [msg.message, msg.text]);
    const cut = [...texts].filter(([, text]) => !whole.includes(text)).map(([item]) => item);
    expect(cut).toEqual(SEEN.flatMap(({ msg }) => (msg.type === 'turn_restarted' ? msg.item_ids : [])));
  });
});

function definitionOf(contract: keyof typeof VARIANTS, { $ref = '' }: SchemaNode): SchemaNode {
  return ROOTS[contract].definitions?.[$ref.replace('#/definitions/', '')] ?? {};
}

function typeOf(contract: keyof typeof VARIANTS, variant: SchemaNode): unknown {
  return definitionOf(contract, variant).properties?.type?.const;
}

/** Places of this type of message that no line fills. */
function missingFrom(contract: keyof typeof VARIANTS, variant: SchemaNode): string[] {
  const type = typeOf(contract, variant);
  const filled = new Set(MESSAGES[contract].filter((one) => one.type === type).flatMap((one) => [...placesIn(one)]));
  const places = [...pathsBelow(ROOTS[contract], definitionOf(contract, variant))];
  return places.filter((place) => !filled.has(place)).map((place) => `${type} ${place}`);
}
