import type { SourceBug } from '../stage/build-plugins.js';
import type { Planted } from '../stage/report.js';
import { bridgeHarness } from './bridge-harness.js';
import type { ModuleBug } from './bridge-programs.js';
import type { Aim } from './scene.js';

type BridgeBug = {
  name: string;
  shows: RegExp;
  bug?: SourceBug;
  moduleBug?: ModuleBug;
  only?: Aim;
  likely: NonNullable<Parameters<typeof bridgeHarness>[0]['likely']>;
};

export const BRIDGE_BUGS: readonly BridgeBug[] = [
  {
    name: 'takes an answer to any request',
    shows: /phase \d has another answer than its own/,
    likely: { stale: 1, gone: 0, server: 0 },
    moduleBug: {
      from: 'if response["request_id"] == request_id:\n                return response',
      to: 'if True:\n                return {**response, "request_id": request_id}',
    },
  },
  {
    name: 'forgets what was answered',
    shows: /was asked again after it was answered/,
    likely: { stale: 0, gone: 1, server: 0 },
    bug: {
      name: 'forgets what was answered',
      changes: [
        {
          file: 'src/core/bridge/bridge-decide.ts',
          from: 'if (Object.hasOwn(bridge.replies, request_id)) {\n    return [{',
          to: 'if (request_id === null) {\n    return [{',
        },
      ],
    },
  },
  {
    name: 'lets a server start the orchestrator',
    shows: /the orchestrator was started by server/,
    likely: { stale: 0, gone: 0, server: 1, leftToServer: 1 },
    only: { victim: 'handler', moment: 'an agent works' },
    bug: {
      name: 'lets a server start the orchestrator',
      changes: [
        {
          file: 'src/core/bridge/bridge-effects.ts',
          from: 'reply, agents, profile },',
          to: 'reply, agents, profile, argv: order.argv },',
        },
        {
          file: 'src/handler/round-deed.ts',
          from: 'const handler = around.handlers.get(facts.handler);',
          to: 'const handler = around.handlers.get(facts.handler) ?? { output: { out: 2, err: 2 }, argv: facts.argv };',
        },
      ],
    },
  },
];

/** Each must show in what it does, not in something else that went wrong. */
export async function bridgePlanted(root: string, bugs = BRIDGE_BUGS, kills = 8): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (const { name, shows, likely, bug, moduleBug, only } of bugs) {
    const how = {
      root,
      kills,
      seed: 7,
      likely,
      ...(bug && { bug }),
      ...(moduleBug && { moduleBug }),
      ...(only && { only }),
    };
    const { lost, twice, problems } = await bridgeHarness(how);
    planted.push({ name, caught: [...lost, ...twice, ...problems].find((one) => shows.test(one)) });
  }
  return planted;
}
