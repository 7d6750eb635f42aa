import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { nearest } from '../../core/kernel/edit-distance.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';

type Entry = { name: string; file: string; version: string; document: string; printed?: boolean };

/** `root` is the package's folder: the published files are shown as they are, byte for byte. */
export function runSchemaList({ values }: Parsed, io: Io, root: string): number {
  const entries = readIndex(root);
  if (values.json) {
    io.out(
      `${JSON.stringify({ items: entries.map(({ name, version, document }) => ({ name, version, document })), next: null })}\n`,
    );
    return 0;
  }
  const width = Math.max(...entries.map(({ name }) => name.length));
  for (const { name, version, document } of entries) {
    const origin = document === 'baton' ? "Baton's own" : `contract ${document}`;
    io.out(`${name.padEnd(width)}  ${version}  ${origin}\n`);
  }
  return 0;
}

export function runSchemaShow({ positionals: [name = ''] }: Parsed, io: Io, root: string): number {
  const entries = readIndex(root);
  const entry = entries.find((candidate) => candidate.name === name);
  if (!entry) {
    const suggestion = nearest(
      name,
      entries.map((candidate) => candidate.name),
    );
    const offer = suggestion ? `; did you mean ${suggestion}?` : '';
    throw new BatonError('MISSING_VALIDATOR', `there is no contract named ${JSON.stringify(name)}${offer}`, {
      contract: name,
    });
  }
  io.out(readFileSync(path.join(root, 'schemas', entry.file), 'utf8'));
  return 0;
}

function readIndex(root: string): Entry[] {
  return JSON.parse(readFileSync(path.join(root, 'schemas/index.json'), 'utf8')).schemas;
}
