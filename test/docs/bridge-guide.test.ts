import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readProfile } from '../../src/contracts/bridge/read-profile.js';
import { schemas } from '../../src/contracts/generated/validators/schemas.js';

const PAGE = readFileSync(path.join(import.meta.dirname, '../../docs/guides/bridge.md'), 'utf8');

test('the profile it shows is one', () => {
  const [json = ''] = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text);
  expect(readProfile(JSON.parse(json))).toMatchObject({ name: 'reviews' });
});

test('its table has every error_type of the contract', () => {
  const { properties } = schemas['bridge-response'] as { properties: { error_type: { enum: string[] } } };
  const [, table = ''] = PAGE.split('\n| `error_type` |');
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  expect(rows).toEqual(properties.error_type.enum);
});
