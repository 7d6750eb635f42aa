import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errandDecider } from '../../../src/core/errand/errand-decider.js';
import type { ErrandEvent } from '../../../src/core/errand/errand-messages.js';
import type { Errand } from '../../../src/core/errand/errand-state.js';

type History = { events: ErrandEvent[]; finalState: Errand };

const HERE = new URL('./', import.meta.url);
const FILES = readdirSync(HERE).filter((file) => file.endsWith('.json'));

function readHistory(file: string): History {
  return JSON.parse(readFileSync(new URL(file, HERE), 'utf8')) as History;
}

function statesOf({ events }: History): Errand[] {
  let state = errandDecider.initialState();
  return events.map((event) => {
    state = errandDecider.evolve(state, event);
    return structuredClone(state);
  });
}

test.each(FILES)('%s, written by an earlier release, still ends in the same state', (file) => {
  const history = readHistory(file);
  expect(statesOf(history).at(-1)).toEqual(history.finalState);
});

describe('the recorded histories', () => {
  test('hold every kind of event', () => {
    const types = new Set(FILES.flatMap((file) => readHistory(file).events.map(({ type }) => type)));
    expect([...types].sort()).toEqual(
      Object.keys({
        BackedOff: true,
        CheckEnded: true,
        CheckLost: true,
        CheckStarted: true,
        ErrandCanceled: true,
        ErrandDone: true,
        ErrandFailed: true,
        ErrandSubmitted: true,
        HumanAnswered: true,
        HumanAsked: true,
        HumanNotified: true,
        LimitsRaised: true,
        PredecessorEnded: true,
        Queued: true,
        ReportDelivered: true,
        ReportReceived: true,
        StepAnswered: true,
        StepAsked: true,
        StepFailed: true,
        StepLost: true,
      } satisfies Record<ErrandEvent['type'], true>),
    );
  });
});

/** Snapshots on disk hold states of these shapes. Another shape needs another number, so that they are not read. */
const SHAPES: Readonly<Record<number, string>> = {
  1: '53986f081fa3a23b',
};

test('a state that looks different needs a new machine version', () => {
  const shapes = FILES.flatMap((file) => statesOf(readHistory(file)).map((state) => shapeOf(state)));
  const shape = createHash('sha256')
    .update([...new Set(shapes)].sort().join('\n'))
    .digest('hex')
    .slice(0, 16);
  expect({ [errandDecider.version]: shape }, 'raise the version of the errand and add its shape here').toEqual({
    [errandDecider.version]: SHAPES[errandDecider.version],
  });
});

/** The names and types in a value, without what the values are; a status is part of the shape. */
function shapeOf(value: unknown, name = ''): string {
  if (name === 'status') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => shapeOf(item)).join()}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const fields = Object.entries(value).map(([field, inner]) => `${field}:${shapeOf(inner, field)}`);
  return `{${fields.sort().join()}}`;
}
