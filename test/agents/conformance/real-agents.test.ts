import { vi } from 'vitest';
import { conforms } from './conforms.js';
import { REAL_AGENTS } from './subjects.js';

vi.mock('../../../src/system/node-clock.js', () => import('../../hurried-clock.js'));
// When somebody is asked again is shown elsewhere.
vi.mock('../../../src/core/job/job-matrix.js', async (original) => ({
  ...(await original<object>()),
  backOffMs: () => 50,
}));

conforms(REAL_AGENTS);
