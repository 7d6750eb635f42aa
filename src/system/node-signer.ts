import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { BatonError } from '../contracts/shared/errors.js';
import type { Signer } from '../engine/audit/signer.js';
import { writeDurably } from './durable-write.js';

const OTHERS = 0o077;

/** The key lies in `keys/` of the home as PEM, for its owner alone, and is made when something is signed first. */
export function createNodeSigner(home: string): Signer {
  const file = path.join(home, 'keys', 'head-ed25519.pem');
  return {
    async publicKey() {
      const key = await readKey(file);
      return key && publicText(key);
    },
    async sign(textFor) {
      const key = (await readKey(file)) ?? (await makeKey(file));
      const publicKey = publicText(key);
      return { publicKey, signature: sign(null, Buffer.from(textFor(publicKey)), key).toString('base64') };
    },
    verify(text, signature, publicKey) {
      try {
        const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
        if (key.asymmetricKeyType !== 'ed25519' || publicText(key) !== publicKey) return false;
        return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
      } catch {
        return false;
      }
    },
  };
}

/** Never replaces a key: of two processes that make one, the second takes the first's. */
async function makeKey(file: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  try {
    await writeDurably(file, pem, { mode: 0o600, exclusive: true });
    return privateKey;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    const first = code === 'EEXIST' ? await readKey(file) : undefined;
    if (first) return first;
    throw new BatonError('FILE_UNWRITABLE', `${file} cannot be written (${code})`, { file });
  }
}

async function readKey(file: string): Promise<KeyObject | undefined> {
  const pem = await readPrivate(file);
  if (pem === undefined) return undefined;
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Told below: what the library says would quote the file.
  }
  throw new BatonError('KEY_UNUSABLE', `${file} holds no ed25519 key`, { file });
}

/** A key that others could have read or replaced proves nothing. */
async function readPrivate(file: string): Promise<Buffer | undefined> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { mode, uid } = await handle.stat();
      if ((mode & OTHERS) !== 0 || uid !== (process.getuid?.() ?? uid)) {
        throw new BatonError('KEY_UNUSABLE', `${file} is open to others or belongs to somebody else`, { file });
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (failure) {
    if (failure instanceof BatonError) throw failure;
    const { code } = failure as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new BatonError('KEY_UNUSABLE', `${file} cannot be read (${code})`, { file });
  }
}

function publicText(key: KeyObject): string {
  const own = key.type === 'private' ? createPublicKey(key) : key;
  return own.export({ format: 'der', type: 'spki' }).toString('base64');
}
