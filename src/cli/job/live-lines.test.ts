import { expect, test } from 'vitest';
import type { JobEvent } from '../../core/job/job-messages.js';
import { recordingIo } from '../recording-io.js';
import { LiveLines } from './live-lines.js';

const prepared = (leftOut: number) =>
  ({ type: 'WorkspacePrepared', notes: [], leftOut, setupMs: 0 }) as never as JobEvent;

test.each([
  [0, ''],
  [1, '  ! 1 uncommitted file is not included (--dirty takes them)\n'],
  [2, '  ! 2 uncommitted files are not included (--dirty takes them)\n'],
])('%i files that are left out are counted in words', async (leftOut, said) => {
  const io = recordingIo({});
  await new LiveLines(io, async () => '').tell(prepared(leftOut));
  expect(io.said.err).toBe(said);
});
