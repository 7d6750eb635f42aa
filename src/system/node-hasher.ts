import { createHash } from 'node:crypto';
import type { Hasher } from '../engine/ports.js';

export const nodeHasher: Hasher = { sha256: (data) => createHash('sha256').update(data).digest('hex') };
