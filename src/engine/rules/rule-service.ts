import { BatonError } from '../../contracts/shared/errors.js';
import { SYSTEM_KIND, SYSTEM_RUN } from '../../core/kernel/system-run.js';
import { type Judgement, judgeLine, type Line } from '../../core/policy/judge-line.js';
import { applies, isExpired, type KnownRule, type Rule, type RuleScope } from '../../core/policy/rule.js';
import type { ShellReading } from '../../core/policy/shell-reading.js';
import type { ScopedRule, SystemCommand, SystemState } from '../../core/system/system-messages.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { Machines } from '../machines.js';
import type { Ports } from '../ports.js';
import { readRun } from '../read-run.js';
import type { ShellReader } from './shell-reader.js';

type Surroundings = {
  ports: Ports;
  engine: Engine;
  machines: Machines;
  /** Loaded when the first command is read. */
  shell(): Promise<ShellReader>;
};
type Scope = Omit<RuleScope, 'nowMs'>;
/** A command of an agent, and where it would run. */
export type Wanted = { line: string; cwd: string } & Omit<Line, 'reading' | 'rules'>;
export type Judged = Judgement & { reading: ShellReading };

/** Rules about commands: kept in the run `system`, joined with those of the trusted project file. */
export class RuleService {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  async add(rule: ScopedRule, actor: string): Promise<number> {
    const { state } = await this.send({ type: 'AddRule', atMs: this.nowMs(), rule }, actor);
    const same = [...state.rules].findLast(([, kept]) => JSON.stringify(kept) === JSON.stringify(rule));
    return same?.[0] ?? state.rulings;
  }

  async remove(id: number, actor: string): Promise<void> {
    await this.send({ type: 'RemoveRule', atMs: this.nowMs(), id }, actor);
  }

  /** All that are kept and have not ended, of whatever repository. */
  async kept(): Promise<readonly KnownRule[]> {
    const { ports, machines } = this.around;
    const state = (await readRun(ports.store, machines, SYSTEM_RUN))?.state as SystemState | undefined;
    const nowMs = this.nowMs();
    return [...(state?.rules ?? [])]
      .map(([id, rule]) => ({ id: String(id), ...rule }))
      .filter(({ expires_at }) => !isExpired(expires_at, nowMs));
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
    return (await this.around.shell()).readLine(line, cwd);
  }

  private nowMs(): number {
    return this.around.ports.clock.nowMs();
  }

  private async send(command: SystemCommand, actor: string): Promise<{ state: SystemState }> {
    const outcome = orThrow(await this.around.engine.send(SYSTEM_RUN, command, { actor }, { create: SYSTEM_KIND }));
    if (outcome.type === 'accepted') return { state: outcome.folded.state as SystemState };
    throw new BatonError('INTERNAL', `a rule was ${outcome.type}`);
  }
}
