import { NO_USAGE, type Usage } from '../../../src/core/kernel/effect.js';
import type { Agents, AskOutcome } from '../../../src/engine/ports.js';
import { endLeftovers } from '../../../src/sandbox/end-leftovers.js';
import type { Gate } from '../../../src/sandbox/process-rows.js';
import { type Spawned, spawnGated } from '../../../src/sandbox/spawn-gated.js';

export const PATH = '/usr/local/bin:/usr/bin:/bin';
/** Between SIGTERM and SIGKILL; short, because some agents below do not listen. */
const GRACE_MS = 100;
const USAGE: Usage = { inputTokens: 10, outputTokens: 2, costMicroUsd: 100 };

/**
 * What agents are like, by the first word of the request. `$1` is how long they work, `$2` a nap that never ends and
 * carries the token, `$3` the number of the ask.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  quick: 'sleep $1',
  family: 'sleep $1 & sleep $1 & wait',
  grandchild: 'setsid sh -c "sleep $2" >/dev/null 2>&1 & sleep $1',
  daemon: '(setsid nohup sh -c "sleep $2 & wait" >/dev/null 2>&1 &); sleep $1',
  deaf: 'trap "" TERM; sleep $1; sleep $1',
  flaky: 'sleep $1; [ $(($3 % 2)) = 0 ] || exit 1',
};
export const AGENT_KINDS = Object.keys(SCRIPTS);

export function answerTo(run: string, key: string): string {
  return `answer of ${run} to ${key}`;
}

/** Agents that are shells: real processes behind the gate, some with descendants that try to get away. */
export function shellAgents(gate: Gate, token: string, { leavesAgents }: { leavesAgents: boolean }): Agents {
  return {
    async ask({ run, epoch }, { key, attempt }, request, signal) {
      const [kind = '', workS = '0.01'] = new TextDecoder().decode(request).split(' ');
      const script = `${SCRIPTS[kind]}\necho "$4"`;
      const spawned = await spawnGated({
        gate,
        run,
        epoch,
        handoff: key,
        attempt,
        argv: ['sh', '-c', script, 'agent', workS, `300.${token}`, String(attempt), answerTo(run, key)],
        cwd: '/',
        env: { PATH },
        signal,
        limits: { graceMs: GRACE_MS, outputBytesMax: 10_000 },
      });
      return outcomeOf(spawned);
    },
    async endLeftover(run, key) {
      if (leavesAgents) return NO_USAGE;
      const { ended, remaining } = await endLeftovers(gate, run, key, { graceMs: GRACE_MS });
      if (remaining.length > 0) throw new Error(`could not end ${remaining.map(({ pid }) => pid).join(', ')}`);
      return ended.length > 0 ? USAGE : NO_USAGE;
    },
  };
}

async function outcomeOf(spawned: Spawned): Promise<AskOutcome> {
  if (spawned.type !== 'started') {
    return { type: 'failed', failure: 'crash', reason: JSON.stringify(spawned), usage: NO_USAGE };
  }
  const { exitCode, signal, aborted } = await spawned.process.ended;
  if (exitCode === 0 && !aborted) return { type: 'answered', text: spawned.process.stdout.text().trim(), usage: USAGE };
  return { type: 'failed', failure: 'crash', reason: `exit ${exitCode ?? signal}`, usage: USAGE };
}
