import { generateKeyPairSync, sign } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createNodeSigner } from './node-signer.js';

function emptyHome(): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'baton-keys-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

const keyFile = (home: string): string => path.join(home, 'keys/head-ed25519.pem');

test('a home that never signed has no key, and asking makes none', async () => {
  const home = emptyHome();
  expect(await createNodeSigner(home).publicKey()).toBeUndefined();
  expect(existsSync(path.join(home, 'keys'))).toBe(false);
});

test('the first signature makes a private key file, and later ones use it', async () => {
  const home = emptyHome();
  const first = await createNodeSigner(home).sign((key) => `text for ${key}`);
  const second = await createNodeSigner(home).sign((key) => `text for ${key}`);
  expect(second).toEqual(first);
  expect(await createNodeSigner(home).publicKey()).toBe(first.publicKey);
  expect(statSync(keyFile(home)).mode & 0o777).toBe(0o600);
  expect(readFileSync(keyFile(home), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
});

test('many signers at once end up with one key', async () => {
  const home = emptyHome();
  const made = await Promise.all(Array.from({ length: 20 }, () => createNodeSigner(home).sign(() => 'text')));
  expect(new Set(made.map(({ publicKey }) => publicKey)).size).toBe(1);
});

test('a signature is valid for its text and key, and for nothing else', async () => {
  const signer = createNodeSigner(emptyHome());
  const { publicKey, signature } = await signer.sign(() => 'text');
  const other = await createNodeSigner(emptyHome()).sign(() => 'text');
  expect(signer.verify('text', signature, publicKey)).toBe(true);
  expect(signer.verify('texT', signature, publicKey)).toBe(false);
  expect(signer.verify('text', other.signature, publicKey)).toBe(false);
  expect(signer.verify('text', signature, other.publicKey)).toBe(false);
  for (const junk of ['', 'AAAA', '%%%', `${publicKey} `]) {
    expect(signer.verify('text', signature, junk)).toBe(false);
    expect(signer.verify('text', junk, publicKey)).toBe(false);
  }
});

test('a key of another kind is not taken for ours', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed448');
  const text = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const signature = sign(null, Buffer.from('text'), privateKey).toString('base64');
  expect(createNodeSigner(emptyHome()).verify('text', signature, text)).toBe(false);
});

test.each<[string, (file: string) => void]>([
  ['is open to others', (file) => chmodSync(file, 0o644)],
  ['is no key', (file) => writeFileSync(file, 'nonsense')],
  [
    'is a link',
    (file) => {
      writeFileSync(`${file}.real`, readFileSync(file), { mode: 0o600 });
      rmSync(file);
      symlinkSync(`${file}.real`, file);
    },
  ],
])('a key file that %s is not used, and not replaced either', async (_, spoil) => {
  const home = emptyHome();
  mkdirSync(path.join(home, 'keys'));
  await createNodeSigner(home).sign(() => 'text');
  spoil(keyFile(home));
  const before = readFileSync(keyFile(home));
  await expect(createNodeSigner(home).sign(() => 'text')).rejects.toMatchObject({ code: 'KEY_UNUSABLE' });
  expect(readFileSync(keyFile(home))).toEqual(before);
});
