import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isStageRequest } from '../../src/agents/stage-prompt.js';
import { pipeline } from '../../src/contracts/envelope/pipeline.js';
import { schemas } from '../../src/contracts/generated/validators/schemas.js';
import { check } from '../../src/contracts/shared/contract.js';

const read = (page: string) => readFileSync(path.join(import.meta.dirname, '../../docs/guides', page), 'utf8');
const PAGE = read('envelopes.md');
const jsonIn = (page: string): unknown[] =>
  [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text ?? ''));
const rowsUnder = (heading: string): string[] => {
  const [, table = ''] = PAGE.split(`\n| ${heading} |`);
  return [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name ?? '');
};

test('the pipeline it shows is one', () => {
  expect(jsonIn(PAGE).map((one) => check(pipeline, one))).toMatchObject([{ allow: true }]);
});

test('its tables have every field of a stage and every terminal_reason', () => {
  const { definitions } = schemas.pipeline as { definitions: { PipelineStage: { properties: object } } };
  expect(rowsUnder('field')).toEqual(Object.keys(definitions.PipelineStage.properties));
  const { properties } = schemas.envelope as { properties: { terminal_reason: { enum: (string | null)[] } } };
  expect(rowsUnder('`terminal_reason`')).toEqual(properties.terminal_reason.enum.filter((reason) => reason !== null));
});

test('the request of a stage in the guide to agents is one', () => {
  const [request] = jsonIn(read('agents.md')) as Record<string, unknown>[];
  expect(isStageRequest(request ?? {})).toBe(true);
});
