import { randomUUID } from 'node:crypto';
import type { Ids } from '../engine/ports.js';

export const nodeIds: Ids = { uuid: () => randomUUID(), random: () => Math.random() };
