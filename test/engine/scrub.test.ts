import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScrub } from '../../src/engine/scrub.js';

const SECRET = 'pa"ss\\wörd/42+x y';
const bytes = Buffer.from(SECRET);

describe('a secret known by value', () => {
  const scrub = createScrub([SECRET]);
  const SPELLINGS = {
    plain: SECRET,
    'in JSON': JSON.stringify(SECRET).slice(1, -1),
    'in JSON in JSON': JSON.stringify(JSON.stringify(SECRET).slice(1, -1)).slice(1, -1),
    'in a URL': encodeURIComponent(SECRET),
    'in base64': bytes.toString('base64').replace(/=+$/, ''),
    'in hex': bytes.toString('hex'),
  };

  test.each(Object.entries(SPELLINGS))('is replaced %s', (_, spelling) => {
    const clean = scrub(`before ${spelling} after`);
    // Base64 may keep its last character, which depends on what follows the secret.
    expect(clean).toMatch(/^before \[secret\].? after$/);
  });

  test('is replaced wherever it stands', () => {
    expect(scrub(`${SECRET}${SECRET} and ${SECRET}`)).toBe('[secret][secret] and [secret]');
  });

  test('is left alone when it is too short to be told from a word', () => {
    expect(createScrub(['short'])('a short text')).toBe('a short text');
  });

  test('is replaced whole when another one is a part of it', () => {
    expect(createScrub(['long-secret', 'long-secret-tail'])('x long-secret-tail x')).toBe('x [secret] x');
  });
});

describe('the shape of a credential', () => {
  const tail = 'A1b2C3d4E5f6G7h8I9j0';
  const SHAPES = {
    'of AWS': 'AKIAABCDEFGHIJKLMNOP',
    'of Anthropic': `sk-ant-${tail}`,
    'of OpenAI': `sk-${tail}`,
    'of GitHub': `ghp_${tail}`,
    'of GitHub, fine-grained': `github_pat_${tail}`,
    'of Slack': `xoxb-${tail}`,
    'of Google': `AIza${tail}${tail.slice(0, 15)}`,
    'of a JWT': `eyJ${tail}.${tail}.${tail}`,
    'of a private key': `-----BEGIN RSA PRIVATE KEY-----\n${tail}\n-----END RSA PRIVATE KEY-----`,
  };

  test.each(Object.entries(SHAPES))('%s is replaced', (_, secret) => {
    expect(createScrub([])(`x ${secret} x`)).toBe('x [secret] x');
  });

  test('is not seen in ordinary text', () => {
    const text = 'ask-me, skip, sk-short, the key of the task is eyJ, AKIA';
    expect(createScrub([])(text)).toBe(text);
  });
});

describe('whatever the text', () => {
  const secrets = fc.array(fc.string({ minLength: 8, maxLength: 20, unit: 'binary-ascii' }), { maxLength: 3 });
  const around = fc.string({ maxLength: 30, unit: 'binary-ascii' });

  test('it never gets longer, and known values are gone', () => {
    fc.assert(
      fc.property(secrets, around, around, (values, before, behind) => {
        const text = `${before}${values.join(behind)}${behind}`;
        const clean = createScrub(values)(text);
        expect(clean.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe('JSON', () => {
  // A secret may begin with a letter that follows a backslash in JSON: the escape is cut in two.
  test.fails('stays valid when a secret begins like an escape', () => {
    const clean = createScrub(['nightingale'])(JSON.stringify({ text: 'line\nightingale' }));
    expect(JSON.parse(clean)).toEqual({ text: expect.any(String) });
  });

  // The text between the two marks may be the border of two fields.
  test.fails('keeps its fields when a private key begins in one and ends in another', () => {
    const value = { one: '-----BEGIN PRIVATE KEY-----', steps: 3, other: '-----END PRIVATE KEY-----' };
    expect(Object.keys(JSON.parse(createScrub([])(JSON.stringify(value))))).toEqual(['one', 'steps', 'other']);
  });
});

describe('a megabyte of', () => {
  const HOSTILE = ['sk-', 'gh', 'xoxb', '-----BEGIN PRIVATE KEY-----', '-----BEGIN ', 'AIza', 'github_pat_', 'eyJ'];

  test.each(HOSTILE)('"%s" is looked through', (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    expect(createScrub([])(text).length).toBeLessThanOrEqual(text.length);
  });
});
