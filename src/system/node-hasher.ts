import { hash } from 'node:crypto';
import type { Hasher } from '../engine/ports.js';

export const nodeHasher: Hasher = { sha256: (data) => hash('sha256', data, 'hex') };
