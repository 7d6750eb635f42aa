import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ContractName } from '../src/contracts/contract-names.js';
import { pointerFits } from './conformance/pointer-fits.js';
import { pathsOf } from './conformance/schema-nodes.js';
import { type Violation, violationsOf } from './conformance/violations.js';
import { citationsIn, citationsUnder, idOf } from './requirements/citations.js';
import { REQUIREMENTS, REQUIREMENTS_TOTAL } from './requirements.js';

const citations = citationsUnder(path.join(import.meta.dirname, '..'));
const cited = new Set(citations.flatMap(({ ids }) => ids));
const known = new Map(REQUIREMENTS.map((requirement) => [requirement.id, requirement]));
const fields = REQUIREMENTS.flatMap(({ id, field }) => (field ? [{ id, ...field }] : []));

describe('the requirements of the five documents', () => {
  test(`are ${REQUIREMENTS_TOTAL}, numbered without gap or repetition`, () => {
    expect(REQUIREMENTS.map(({ id }) => id)).toEqual(
      Array.from({ length: REQUIREMENTS_TOTAL }, (_, index) => idOf(index + 1)),
    );
  });

  test('are each cited by a test, proven through a field, or waiting for a part', () => {
    const loose = REQUIREMENTS.filter(({ id, field, waitsFor }) => !cited.has(id) && !field && !waitsFor);
    expect(loose, 'cite these in the title of a test, or say what they wait for').toEqual([]);
  });

  test('wait for nothing once a test cites them', () => {
    const started = REQUIREMENTS.filter(({ id, waitsFor }) => waitsFor && cited.has(id));
    expect(started, 'these started to pass: take waitsFor away').toEqual([]);
  });

  test('do not wait for a part and stand in a field at once', () => {
    expect(REQUIREMENTS.filter(({ field, waitsFor }) => field && waitsFor)).toEqual([]);
  });

  test('are cited under ids that exist', () => {
    const strange = citations.filter(({ ids }) => ids.length === 0 || ids.some((id) => !known.has(id)));
    expect(strange, 'these titles cite unknown ids').toEqual([]);
  });

  test('fail as expected where a failure is known, and nowhere else', () => {
    const unexplained = citations.filter(({ ids, expectedToFail }) =>
      ids.some((id) => (known.get(id)?.knownFailure !== undefined) !== expectedToFail),
    );
    expect(unexplained, 'test.fails belongs to requirements with knownFailure, and only to them').toEqual([]);
    expect(REQUIREMENTS.filter(({ id, knownFailure }) => knownFailure !== undefined && !cited.has(id))).toEqual([]);
  });
});

describe(`${fields.length} requirements about fields`, () => {
  test('name fields that their schemas have', () => {
    expect(fields.filter(({ contract, path }) => !pathsOf(contract).has(path))).toEqual([]);
  });

  test('are each violated, and the violation is refused', () => {
    const unproven = fields.filter(({ contract, path }) => !violated(contract, path));
    expect(unproven, 'no payload in test/conformance breaks these').toEqual([]);
  });

  test('that say "required" are also violated by leaving the field out', () => {
    const required = new Set(
      REQUIREMENTS.filter(({ text }) => /is required$|^required /.test(text)).map(({ id }) => id),
    );
    const unproven = fields.filter(
      ({ id, contract, path }) => required.has(id) && !violated(contract, path, 'removed'),
    );
    expect(unproven, 'no payload in test/conformance leaves these out').toEqual([]);
  });
});

const refusedByContract = new Map<ContractName, Violation[]>();

function violated(contract: ContractName, path: string, how?: string): boolean {
  const refused = refusedByContract.get(contract) ?? violationsOf(contract).filter(({ code }) => code !== 'OK');
  refusedByContract.set(contract, refused);
  return refused.some(({ pointer, what }) => (how === undefined || how === what) && pointerFits(pointer, path));
}

describe('a citation', () => {
  const idsOf = (text: string) => citationsIn('a.test.ts', text).flatMap(({ ids }) => ids);

  test.each([
    ["test('a [R001]', f)", ['R001']],
    ['test(`a \u0024{b} [R001, R003]`, f)', ['R001', 'R003']],
    ["test.each([1])('a [R001–R003]', f)", ['R001', 'R002', 'R003']],
    ["test.each`a`('a [R001]', f)", ['R001']],
    ["describe('a [R001]', () => { test('b [R002]', f); })", ['R001', 'R002']],
    ["it('a [R001]', f)", ['R001']],
  ])('stands in the title of a test: %s', (text, ids) => {
    expect(idsOf(text)).toEqual(ids);
  });

  test.each([
    "// test('a [R001]', f)",
    "const text = 'a [R001]';",
    "test.skip('a [R001]', f)",
    "test.todo('a [R001]')",
    "describe.skip('a', () => { test('b [R001]', f); })",
    "test('a R001', f)",
    "other('a [R001]', f)",
  ])('does not stand in %s', (text) => {
    expect(idsOf(text)).toEqual([]);
  });

  test('of a test that must fail says so', () => {
    expect(citationsIn('a.test.ts', "test.fails('a [R001]', f)")).toMatchObject([{ expectedToFail: true }]);
    expect(citationsIn('a.test.ts', "test('a [R001]', f)")).toMatchObject([{ expectedToFail: false }]);
  });
});
