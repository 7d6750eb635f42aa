import { expect, test } from 'vitest';
import { outsideReason } from '../../core/session/asked-words.js';
import { SessionStory, safe } from '../../core/session/session-story.js';
import type { EventRow, RunRow } from '../ports.js';
import { sessionDetails } from './session-details.js';

const ITEM = { run: 's', key: 'call-1', askedAt: '1970-01-01T00:00:00.000Z' };

/** What an item of a told session says, when its bodies say `shown`. */
function detailsOf({ events, live }: SessionStory, shown: object, item = ITEM): Promise<Record<string, unknown>> {
  const rows = events.map(({ type, ...data }, index) => {
    return { seq: index + 1, type, data: JSON.stringify(data), at: new Date(index).toISOString() } as EventRow;
  });
  const store = {
    body: async () => new TextEncoder().encode(JSON.stringify(shown)),
    events: async (_: string, after: number, limit: number) => rows.slice(after, after + limit),
    run: async () => ({ version: rows.length }) as RunRow,
  };
  return sessionDetails(store, live, item);
}

const leaving = () => {
  const facts = { wantsOutside: true, reason: outsideReason('Baton has checked it.') };
  return new SessionStory()
    .configure()
    .input()
    .answers(1)
    .judges(safe('call-1', 'exec', facts));
};

test('a command is told as it is, with where it runs, why it is asked, and the words of the model apart', async () => {
  const shown = { command: ['sh', '-c', 'rm -rf build'], cwd: '/srv/app' };
  expect(await detailsOf(leaving(), shown)).toMatchObject({
    ...{ session: true, wants: 'exec', call_id: 'call-1', argv: ['sh', '-c', 'rm -rf build'], command: 'rm -rf build' },
    turn: 1,
    ...{ cwd: '/srv/app', where: 'outside', again: null },
    ...{ reason: 'it would run outside of the sandbox', justification: 'Baton has checked it.' },
  });
});

test('one that had begun when its process died says so; so does the item of one that is over', async () => {
  const story = leaving().approve('call-1').loses('call-1');
  const asked = { ...ITEM, key: 'call-2' };
  expect(await detailsOf(story, { command: ['ls'], cwd: '/srv' }, asked)).toMatchObject({
    ...{ again: 'unknown', justification: null },
    reason: 'it had begun when the process died, and what came of it is not known',
  });
  expect(await detailsOf(story, { command: ['ls'], cwd: '/srv' })).toMatchObject({ argv: ['ls'], where: 'outside' });
});
