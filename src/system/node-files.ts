import { readFile } from 'node:fs/promises';
import type { Files } from '../engine/projections/file-writer.js';
import { writeDurably } from './durable-write.js';

export const nodeFiles: Files = {
  replace: (file, content) => writeDurably(file, content, { mode: 0o600 }),
  async read(file) {
    try {
      return await readFile(file);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw failure;
    }
  },
};
