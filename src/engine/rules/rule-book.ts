import { SYSTEM_RUN } from '../../core/kernel/system-run.js';
import { type Judgement, judgeLine, type Line } from '../../core/policy/judge-line.js';
import { applies, isExpired, type KnownRule, type Rule, type RuleScope } from '../../core/policy/rule.js';
import type { ShellReading } from '../../core/policy/shell-reading.js';
import type { SystemState } from '../../core/system/system-messages.js';
import type { Machines } from '../machines.js';
import type { Clock, EventStore } from '../ports.js';
import { readRun } from '../read-run.js';
import type { ShellReader } from './shell-reader.js';

export type BookSources = {
  /** All that are kept, ended ones too. */
  kept(): Promise<readonly KnownRule[]>;
  clock: Clock;
  /** Loaded when the first command is read. */
  shell(): Promise<ShellReader>;
};
type Scope = Omit<RuleScope, 'nowMs'>;
/** A command of an agent, and where it would run. */
export type Wanted = { line: string; cwd: string } & Omit<Line, 'reading' | 'rules'>;
export type Judged = Judgement & { reading: ShellReading };

/** Rules as the run `system` keeps them. */
export async function rulesIn(store: Pick<EventStore, 'load'>, machines: Machines): Promise<readonly KnownRule[]> {
  const state = (await readRun(store, machines, SYSTEM_RUN))?.state as SystemState | undefined;
  return [...(state?.rules ?? [])].map(([id, rule]) => ({ id: String(id), ...rule }));
}

/** Rules about commands: those that are kept, joined with those of the trusted project file. */
export class RuleBook {
  private readonly sources: BookSources;

  constructor(sources: BookSources) {
    this.sources = sources;
  }

  /** All that are kept and have not ended, of whatever repository. */
  async kept(): Promise<readonly KnownRule[]> {
    const nowMs = this.nowMs();
    return (await this.sources.kept()).filter(({ expires_at }) => !isExpired(expires_at, nowMs));
  }

  /** Those of a repository, for whichever agent. `project`: what its file says, if it is trusted. */
  async ofRepository(repo: string, project: readonly Rule[] = []): Promise<readonly KnownRule[]> {
    const ofProject = project.map((rule, index) => ({
      id: `baton.json#${index + 1}`,
      ...{ author: 'baton.json', repo, ...rule },
    }));
    const nowMs = this.nowMs();
    const all = [...ofProject, ...(await this.kept())];
    return all.filter((rule) => applies(rule, { repo, agent: rule.agent ?? null, nowMs }));
  }

  /** Those that hold for an agent in a repository now. */
  async applying({ repo, agent }: Scope, project: readonly Rule[] = []): Promise<readonly KnownRule[]> {
    const nowMs = this.nowMs();
    return (await this.ofRepository(repo, project)).filter((rule) => applies(rule, { repo, agent, nowMs }));
  }

  async judge({ line, cwd, ...where }: Wanted, rules: readonly KnownRule[]): Promise<Judged> {
    const reading = await this.read(line, cwd);
    return { ...judgeLine({ ...where, reading, rules }), reading };
  }

  async read(line: string, cwd: string): Promise<ShellReading> {
    return (await this.sources.shell()).readLine(line, cwd);
  }

  protected nowMs(): number {
    return this.sources.clock.nowMs();
  }
}
