import type { SourceBug } from '../stage/build-plugins.js';
import type { Planted } from '../stage/report.js';
import type { Moment } from './played-session.js';
import { sessionsHarness } from './sessions-harness.js';

type SessionBug = { bug: SourceBug; moments: readonly Moment[]; shows: RegExp };

export const SESSION_BUGS: readonly SessionBug[] = [
  {
    moments: ['open'],
    shows: /the question call-\d+ was forgotten/,
    bug: {
      name: 'forgets an approval with the process that asked',
      changes: [
        {
          file: 'src/core/session/call-draft.ts',
          from: "this.say({ type: 'ApprovalAsked',",
          to: "(globalThis.asked ??= new Set()).add(call);\n    this.say({ type: 'ApprovalAsked',",
        },
        {
          file: 'src/core/session/decide-calls.ts',
          from: "if (!task || !call?.deed || call.stage.name !== 'waiting') return",
          to: "if (!task || !call?.deed || call.stage.name !== 'waiting' || !globalThis.asked?.has(callId)) return",
        },
      ],
    },
  },
  {
    moments: ['running'],
    shows: /ran \d+ times on \d+ times yes/,
    bug: {
      name: 'runs a begun command again by itself',
      changes: [
        {
          file: 'src/core/session/decide-calls.ts',
          from: "if (!deed || deed.kind === 'patch') return { events: [] };",
          to: "if (!deed || deed.kind !== 'mcp') return { events: [] };",
        },
      ],
    },
  },
  {
    moments: ['open'],
    shows: /was used twice/,
    bug: {
      name: 'takes an answer twice',
      changes: [
        {
          file: 'src/core/session/decide-calls.ts',
          from: "if (!task || !call?.deed || call.stage.name !== 'waiting') return notWaiting(session, callId);",
          to: "if (!task || !call?.deed || call.stage.name === 'running') return notWaiting(session, callId);",
        },
        {
          file: 'src/core/session/decide-calls.ts',
          from: 'denied(call.stage.fallback, guidance)',
          to: 'denied(null, guidance)',
        },
      ],
    },
  },
];

/** Each must show in what it does, not in something else that went wrong. */
export async function sessionsPlanted(root: string, bugs = SESSION_BUGS, kills = 3): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (const { bug, moments, shows } of bugs) {
    const { lost, twice, problems } = await sessionsHarness({ root, kills, seed: 7, bug, moments });
    planted.push({ name: bug.name, caught: [...lost, ...twice, ...problems].find((one) => shows.test(one)) });
  }
  return planted;
}
