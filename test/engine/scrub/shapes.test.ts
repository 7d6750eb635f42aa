import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createScrub } from '../../../src/engine/scrub.js';

const scrub = createScrub([]);
const tail = 'A1b2C3d4E5f6G7h8I9j0';
const long = `${tail}${tail}${tail}`;
const base64 = `${long}+/${long}\n${long}`;

/** Put together, so that nobody who searches this repository for credentials finds one. */
const CREDENTIALS: Record<string, string> = {
  'of AWS': `AKIA${'ABCDEFGHIJKLMNOP'}`,
  'of AWS, for some time': `ASIA${'ABCDEFGHIJKLMNOP'}`,
  'of Anthropic': `sk-ant-${'api03'}-${tail}`,
  'of OpenAI': `sk-${tail}`,
  'of an OpenAI project': `sk-proj-${tail}_${tail}-${tail}`,
  'of an OpenAI service account': `sk-svcacct-${tail}`,
  'of GitHub': `ghp_${tail}`,
  'of GitHub, fine-grained': `github_pat_${tail}_${tail}`,
  'of GitLab': `glpat-${tail}`,
  'of GitLab, with its routing': `glpat-${tail}.01.${'abcdefghi'}`,
  'of npm': `npm_${long.slice(0, 36)}`,
  'of Stripe': `sk_live_${tail}`,
  'of Stripe, restricted': `rk_test_${tail}`,
  'of Google': `AIza${long.slice(0, 35)}`,
  'of Google, for some time': `ya29.${tail}`,
  'of Hugging Face': `hf_${long.slice(0, 34)}`,
  'of a Slack bot': `xoxb-${tail}`,
  'of a Slack app': `xapp-1-${tail}`,
  'of a JWT': `eyJ${tail}.${tail}.${tail}`,
  'of a private key': `-----BEGIN ${'RSA'} PRIVATE KEY-----\n${base64}\n-----END RSA PRIVATE KEY-----`,
  'of an encrypted private key': `-----BEGIN ${'RSA'} PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${'0A1B'.repeat(8)}\n\n${base64}\n-----END RSA PRIVATE KEY-----`,
  'of a private key of OpenSSH': `-----BEGIN ${'OPENSSH'} PRIVATE KEY-----\n${base64}\n-----END OPENSSH PRIVATE KEY-----`,
  'of a private key of PGP': `-----BEGIN ${'PGP'} PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${base64}\n=aB1c\n-----END PGP PRIVATE KEY BLOCK-----`,
  'of a private key in code': `-----BEGIN ${'EC'} PRIVATE KEY-----\\n" +\n  "${base64}\\n" +\n  "-----END EC PRIVATE KEY-----`,
};

describe('the shape of a credential', () => {
  test.each(Object.entries(CREDENTIALS))('%s is replaced', (_, secret) => {
    expect(scrub(`x ${secret} x`)).toBe('x [secret] x');
    expect(scrub.json({ a: `x ${secret}` }).text).toBe('{"a":"x [secret]"}');
  });

  test.each(Object.entries(CREDENTIALS))('%s is replaced behind what another program encoded', (_, secret) => {
    for (const before of ['line\n', 'line\\n', '\u001b[32m', '\u0001', '\\u0001', 'a=', 'a%3D', '"', '/']) {
      expect(scrub(`${before}${secret}`)).toMatch(/\[secret\]$/);
      expect(JSON.parse(scrub.json({ a: `${before}${secret}` }).text).a).toMatch(/\[secret\]$/);
    }
  });

  test.each([
    ['Authorization: Bearer ', 'abcDEFghi', '\r\nAccept: x'],
    ['Authorization: Basic ', 'dXNlcjpodW50ZXIy', ''],
    ['{"authorization":"Basic ', 'dXNlcjpodW50ZXIy', '"}'],
    ["headers: { Authorization: 'Token ", tail, "' }"],
    ['curl -H "authorization: bearer ', `${tail}.${tail}==`, '" x'],
    ['{"x":"Bearer ', tail, '"}'],
    ['https://user:', 'hunter2', '@example.com/path'],
    ['postgres://me:', 'p@ss:w%2Frd', '@db:5432/x?a=b@c'],
    ['redis://:', 'pässword', '@cache'],
  ])('is replaced in %s…', (before, secret, behind = '') => {
    const mask = secret.length < 8 ? '*'.repeat(secret.length) : '[secret]';
    expect(scrub(`${before}${secret}${behind}`)).toBe(`${before}${mask}${behind}`);
    expect(JSON.parse(scrub.json({ a: `${before}${secret}${behind}` }).text)).toEqual({
      a: `${before}${mask}${behind}`,
    });
  });
});

describe('nothing is replaced in', () => {
  test.each([
    'ask-me, skip, sk-short, the key of the task is eyJ, AKIA',
    'task-01J8ZQ4M6N8P0R2T4V6X8Y0Z2A and disk-abcdefghijklmnopqrstuvwxyz and risk-admin-dashboard-component',
    'sk-1234-fix-the-login-page-of-the-console',
    '3f786850e387550fdab836ed7e6dc881de23001b and e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'sha512-9mVfHq0Kx2vQ5iW3y0rS7uO1pZ8cB6nD4tE/aJgLhUkXoYfRsVwTqMzNiPbCdGxH==',
    '018f4b1e-7b7a-7c6d-9a53-0242ac120002',
    'npm_config_registry=https://registry.npmjs.org/ npm_package_dependencies_typescript',
    'commit 704216a\nAuthor: A B <a@example.com>\nDate: Mon\n\n    https://example.com:8080/a@b/c?d=e@f',
    'git@github.com:owner/name.git ssh://git@example.com:22/owner/name.git https://example.com/@scope/name@1.2.3',
    `https://user:$PASSWORD@example.com https://user:\${PASSWORD}@example.com https://user:<password>@example.com`,
    'Authorization: Bearer $TOKEN, Authorization: Basic authentication, Authorization: Bearer <token>',
    'the bearer of this message; Bearer authentication-mechanisms',
    "if (text.includes('-----BEGIN PRIVATE KEY-----') && text.includes('-----END PRIVATE KEY-----')) refuse();",
    '-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTU\n-----END CERTIFICATE-----',
    '-----BEGIN PGP PUBLIC KEY BLOCK-----\nmQENBFqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTU\n-----END PGP PUBLIC KEY BLOCK-----',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5vQ0pZ me@example',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ])('%s', (text) => {
    expect(scrub(text)).toBe(text);
    expect(scrub.json({ text })).toEqual({ text: JSON.stringify({ text }), changed: false });
  });

  test('our own sources, but for the passwords in their URLs', () => {
    const src = path.join(import.meta.dirname, '../../../src');
    const lines = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => readFileSync(path.join(src, file), 'utf8').split('\n'));
    expect(lines.filter((line) => scrub(line) !== line && !line.includes('://'))).toEqual([]);
    expect(lines.length).toBeGreaterThan(1000);
  });
});
