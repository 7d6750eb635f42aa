import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AUTHENTICATE, badLines, LAST_WORDS, play, SCENARIOS, STRANGERS } from '../conformance.js';
import { FakeDesk } from '../fake-desk.js';
import { hostOptions, type Opened, TOKEN, WAYS_IN } from './ways-in.js';

describe.each(WAYS_IN)(
  '$name plays the same script [R520–R522, R550–R556]',
  ({ needsToken, isLines, endsHalf, start }) => {
    let way: Opened;
    let desk: FakeDesk;
    const cast = () => ({
      open: () => way.open(),
      first: needsToken ? AUTHENTICATE : [],
      cwd: '/somewhere',
      token: TOKEN,
    });

    beforeEach(async () => {
      desk = new FakeDesk();
      way = await start(hostOptions(desk));
    });
    afterEach(async () => {
      await way.close();
      // Nobody is watched for who has left.
      await expect.poll(() => desk.watchers).toBe(0);
    });

    test.each(SCENARIOS)('$name', async (scenario) => {
      await play(scenario, cast());
    });

    test.runIf(endsHalf)(LAST_WORDS.name, async () => {
      await play(LAST_WORDS, cast());
    });

    test('bad lines are each answered, and the connection stays', async () => {
      await play(badLines(isLines), cast());
    });

    test.runIf(needsToken).each(STRANGERS)('a stranger $name', async (scenario) => {
      await play(scenario, { ...cast(), first: [] });
      expect(desk.callers).toEqual([]);
    });
  },
);
