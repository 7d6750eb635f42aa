import { vi } from 'vitest';
import { conforms } from './conforms.js';
import { OTHER_AGENTS } from './subjects.js';

vi.mock('../../../src/system/node-clock.js', () => import('../../hurried-clock.js'));

conforms(OTHER_AGENTS);
