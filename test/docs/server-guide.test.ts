import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LEAST_ROLE } from '../../src/core/access/role.js';
import { ROUTES } from '../../src/server/routes/all.js';

const PAGE = readFileSync(path.join(import.meta.dirname, '../../docs/guides/server.md'), 'utf8');

test('docs/guides/server.md has a row for every address, as the server has it', () => {
  const written = PAGE.split('\n').filter((line) => /^\| (GET|POST|DELETE) \|/.test(line));
  const served = ROUTES.map(({ method, path: where, verb, stream, summary }) =>
    ['', method, `\`${where}\``, LEAST_ROLE[verb], stream ? 'stream' : '', `${summary} |`].join(' | ').trim(),
  );
  expect(written).toEqual(served);
});
