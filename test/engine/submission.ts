import type { ErrandCommand, ErrandOrder } from '../../src/core/errand/errand-messages.js';

export const ORDER: ErrandOrder = {
  title: 'tidy up',
  agent: 'alpha',
  request: { sha256: 'ab', bytes: 2 },
  steps: 1,
  retriesMax: 1,
  stepTimeoutMs: 1000,
  limits: {},
  rank: 1,
  after: null,
  check: null,
  review: false,
  report: null,
};

export function submission(changes: Partial<ErrandOrder> = {}): ErrandCommand {
  return { type: 'Submit', atMs: 0, ...ORDER, ...changes };
}
