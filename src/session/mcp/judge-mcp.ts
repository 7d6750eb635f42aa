import type { Held } from '../../engine/ports.js';
import type { McpPlan } from '../call-plan.js';
import type { NotDone, Weighed } from '../judge-exec.js';
import type { SessionHands } from '../session-hands.js';
import { shownTitle } from '../shown-title.js';
import { toolNames } from './tool-names.js';

const PREFIX = 'mcp__';

/** A call of a tool that is none of ours; undefined when nobody has such a tool. */
export async function judgeMcp(
  { servers }: SessionHands,
  held: Held,
  { tool: name, given }: { tool: string; given: Readonly<Record<string, unknown>> },
): Promise<Weighed<McpPlan> | NotDone | undefined> {
  if (!name.startsWith(PREFIX)) return undefined;
  const { tools, problems } = await servers.offered(held);
  const found = toolNames(tools).get(name);
  if (!found) {
    const [why] = [...problems.values()];
    return why === undefined ? undefined : { words: `There is no tool ${shownTitle(name)} now: ${why}.` };
  }
  const { server, tool, onlyReads } = found;
  const spec = await servers.specOf(server);
  const holds = spec?.isAuto === true;
  return {
    plan: { kind: 'mcp', server, tool, arguments: given },
    shown: { server, tool, arguments: given },
    title: shownTitle(`${tool} of ${server}`),
    facts: {
      ...{ holds, isKnownSafe: onlyReads && spec?.isTrusted === true, rule: null, wantsOutside: false },
      reason: holds ? null : `it is a tool of the server ${shownTitle(server)}`,
    },
  };
}
