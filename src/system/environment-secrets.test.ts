import { expect, test } from 'vitest';
import { environmentSecrets } from './environment-secrets.js';

test.each([
  'OPENAI_API_KEY',
  'GITHUB_TOKEN',
  'aws_secret_access_key',
  'PGPASSWORD',
  'npm_config__auth',
  'DB_PASS',
  'SENTRY_DSN',
  'JWT',
  'GPG_PASSPHRASE',
  'ACME_CREDENTIALS',
])('the value of %s is a secret', (name) => {
  expect(environmentSecrets({ [name]: 'value-of-it' })).toEqual(['value-of-it']);
});

test.each([
  ['PATH', '/usr/bin'],
  ['PWD', '/home/anna'],
  ['HOME', '/home/anna'],
  ['SSH_AUTH_SOCK', '/tmp/ssh/agent.1'],
  ['AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE'],
  ['GOOGLE_APPLICATION_CREDENTIALS', '/home/anna/key.json'],
  ['TLS_KEY_FILE', '/etc/key.pem'],
  ['KEYBOARD_LAYOUT', 'de-latin1'],
  ['XDG_SESSION_ID', '12345678'],
  ['EMPTY_TOKEN', ''],
])('%s is none', (name, value) => {
  expect(environmentSecrets({ [name]: value })).toEqual([]);
});

test('a password inside an address is one, as it is written and as it is meant', () => {
  expect(environmentSecrets({ DATABASE_URL: 'postgres://anna:p%40ssword1@db/shop' })).toEqual([
    'p%40ssword1',
    'p@ssword1',
  ]);
  expect(environmentSecrets({ DATABASE_URL: 'postgres://anna:p%4@db/shop' })).toEqual(['p%4']);
  expect(environmentSecrets({ PROXY: 'http://proxy.example.com:8080/' })).toEqual([]);
});
