import { vi } from 'vitest';
import { conforms } from './conforms.js';
import { REAL_AGENTS } from './subjects.js';

vi.mock('../../../src/system/node-clock.js', () => import('../../hurried-clock.js'));

conforms(REAL_AGENTS);
