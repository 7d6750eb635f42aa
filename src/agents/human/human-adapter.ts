import { type Adapter, failed, untilAborted } from '../adapter.js';

/** A person answers by `job poststep`, which ends the ask: it is no longer outstanding then. */
export const humanAdapter: Adapter = async (_held, _ask, _request, signal) => {
  await untilAborted(signal);
  return failed('timeout', 'nobody handed in an answer');
};
