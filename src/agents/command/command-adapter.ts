import type { RunId } from '../../engine/ports.js';
import type { Adapter } from '../adapter.js';
import type { CommandSpec } from '../agent-spec.js';
import type { Metering } from '../metering/metering.js';
import { providerOfKey } from '../metering/providers.js';
import { agentEnvironment } from '../process/agent-environment.js';
import { AnswerBytes } from '../process/answer-bytes.js';
import { outcomeOf } from '../process/outcome-of.js';
import { type ProcessOptions, runProcess } from '../process/run-process.js';

export type CommandOptions = ProcessOptions & {
  /** Names of further variables that the run passes on to its agents. */
  envNamesOf?(run: RunId): Promise<readonly string[]> | readonly string[];
  /** How providers are reached: the keys of those that are named stay here. */
  metering: Pick<Metering, 'during'>;
};

/** The request on stdin, the answer on stdout, the log on stderr; the exit code says how it went. */
export function commandAdapter(spec: CommandSpec, options: CommandOptions): Adapter {
  return async (held, ask, request, signal) => {
    const names = [...spec.env, ...((await options.envNamesOf?.(held.run)) ?? [])];
    const needs = names.flatMap((name) => providerOfKey(name) ?? []).map((provider) => ({ provider, optional: true }));
    const of = { run: held.run, handoff: ask.key, attempt: ask.attempt };
    return options.metering.during(of, needs, signal, async (access) => {
      const env = { ...agentEnvironment(access.environment, names), ...access.env };
      const answer = new AnswerBytes();
      const job = { held, ask, rights: spec, way: { ports: access.ports }, env, stdin: request, signal: access.signal };
      const ran = await runProcess(
        {
          ...job,
          // An answer that is too large will not be read: whoever writes it need not go on.
          onOutput: (chunk, stop) => answer.add(chunk, stop),
        },
        options,
      );
      return 'outcome' in ran ? ran.outcome : outcomeOf(ran.end, answer, ran.stderr);
    });
  };
}
