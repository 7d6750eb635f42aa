import type { SessionDesk } from '../../engine/session/session-desk.js';

export type CursorDesk = { desk: SessionDesk; cursorOf(session: string): number };

/** The same desk, which remembers up to where the events of a session were read. */
export function cursorDesk(desk: SessionDesk): CursorDesk {
  const cursors = new Map<string, number>();
  return {
    cursorOf: (session) => cursors.get(session) ?? 0,
    desk: {
      configure: (...args) => desk.configure(...args),
      submit: (...args) => desk.submit(...args),
      describe: (session) => desk.describe(session),
      place: (session) => desk.place(session),
      watch: (...args) => desk.watch(...args),
      live: (...args) => desk.live(...args),
      events: (...args) => desk.events(...args),
      async nextEvents(session, after, limit) {
        const page = await desk.nextEvents(session, after, limit);
        cursors.set(session, page.next);
        return page;
      },
    },
  };
}
