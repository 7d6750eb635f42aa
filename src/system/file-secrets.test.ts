import { expect, test } from 'vitest';
import { fileSecrets } from './file-secrets.js';

test('values are found by their name, or because nobody would type them', () => {
  const text = [
    'NODE_ENV=production-like-setting',
    'export API_TOKEN="hunter2hunter2"',
    "db.password: 'correct horse battery'",
    '"client_secret": "s3cr3t-of-the-client",',
    'DATABASE_URL=postgres://user:pa55word@db/app',
    'SIGNING=3f9c1e2ab84d07c1e2ab84d0',
    'PORT=8080',
    'HOMEPAGE=https://example.com/a/very/long/address1',
    '# COMMENT=1234567890abcdefghij',
    'no entry at all',
  ].join('\n');
  expect(new Set(fileSecrets(text))).toEqual(
    new Set([
      'hunter2hunter2',
      'correct horse battery',
      's3cr3t-of-the-client',
      'pa55word',
      'postgres://user:pa55word@db/app',
      '3f9c1e2ab84d07c1e2ab84d0',
    ]),
  );
});
