import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { openHome } from '../../src/wiring.js';

/** The ways in which a text may stand in others. */
export function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), bytes.toString('hex'), base64];
}

/** Compressed in the file, so they are looked at as they come out. */
export async function storedBodies(home: string): Promise<string[]> {
  const { store, close } = await openHome({ home, env: {}, writer: 'main', readOnly: true });
  const refs = (await store.feed(0, 10_000)).flatMap(({ data }) => [...data.matchAll(/"sha256":"([0-9a-f]{64})"/g)]);
  const bodies = await Promise.all(refs.map(([, sha256 = '']) => store.body(sha256)));
  await close();
  return bodies.map((body) => Buffer.from(body ?? '').toString());
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
