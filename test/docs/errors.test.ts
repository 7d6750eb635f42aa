import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ErrorSpec } from '../../src/contracts/shared/error-spec.js';
import { ERRORS } from '../../src/contracts/shared/errors.js';

const PAGE = readFileSync(path.join(import.meta.dirname, '../../docs/errors.md'), 'utf8');

/** `| \`CODE\` | http | exit | when | hint |` */
const ROW = /^\| `([A-Z_]+)` \| (\d+) \| (\d) \| (.+?) \| (.+) \|$/gm;
const rows = [...PAGE.matchAll(ROW)].map(([, code, http, exit, when, hint]) => ({ code, http, exit, when, hint }));

describe('docs/errors.md and the error catalogue', () => {
  test('name the same codes, in the same order', () => {
    expect(rows.map(({ code }) => code)).toEqual(Object.keys(ERRORS));
  });

  test.each(Object.entries<ErrorSpec>(ERRORS))('agree about %s', (code, { http, exit, hint, otherwise }) => {
    const row = rows.find((candidate) => candidate.code === code);
    expect(row).toMatchObject({
      http: String(http),
      exit: String(exit),
      hint: otherwise === undefined ? hint : `${hint} Else: ${otherwise}`,
    });
  });
});
