import type { ItemAnswer } from '../../contracts/api/inbox-shapes.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Wanted } from '../../core/kernel/effect.js';
import { SYSTEM_RUN } from '../../core/kernel/system-run.js';
import { hostRule, narrowestRules } from '../../core/policy/narrowest-rule.js';
import { budgetQuestion } from '../../core/system/system-budgets.js';
import type { SystemCommand, SystemState } from '../../core/system/system-messages.js';
import type { LiveTask } from '../../core/task/task-state.js';
import type { BridgeService } from '../bridge/bridge-service.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { EnvelopeService } from '../envelope/envelope-service.js';
import type { JobService } from '../job/job-service.js';
import type { LandingService } from '../job/landing-service.js';
import type { Machines } from '../machines.js';
import type { OperatorService } from '../operator/operator-service.js';
import type { InboxRow, Ports, RunId } from '../ports.js';
import { readRun } from '../read-run.js';
import type { RuleService } from '../rules/rule-service.js';
import type { Origin } from '../seal.js';
import type { SessionService } from '../session/session-service.js';
import { itemAnswer } from '../shown/item-answer.js';
import type { BudgetService } from '../system/budget-service.js';
import { type Answer, type GivenAnswer, plainAnswer } from './answer.js';
import { answerBridge } from './answer-bridge.js';
import { answerEnvelope } from './answer-envelope.js';
import { answerJob } from './answer-job.js';
import { answerLedger, answerTask } from './answer-operator.js';
import { answerSession } from './answer-session.js';
import { itemDetails } from './item-details.js';
import { commandLine, sessionDetails } from './session-details.js';

type Surroundings = {
  ports: Ports;
  engine: Engine;
  machines: Machines;
  jobs: JobService;
  landings: LandingService;
  operator: OperatorService;
  envelopes: EnvelopeService;
  bridges: BridgeService;
  sessions: SessionService;
  rules: RuleService;
  budgets: BudgetService;
  /** Whether a sandbox holds what agents do. */
  holds(): Promise<boolean>;
};

type By = Pick<Origin, 'actor' | 'key'>;

type WantedRule = Pick<Wanted, 'what' | 'cwd' | 'why'> & { kind: string; agent: string; folder: string; repo: string };

/** What came of an answer, in words, and the job it is about now. */
export type Answered = { said: string; job: RunId | null };

/** The one list of everything that waits for a person, whatever the contract. */
export class InboxService {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  open(after: number, limit: number): Promise<readonly InboxRow[]> {
    return this.around.ports.store.inbox({ open: true, after, limit });
  }

  async item(number: number): Promise<InboxRow> {
    const [row] = await this.around.ports.store.inbox({ open: false, after: number - 1, limit: 1 });
    if (row?.item === number) return row;
    throw new BatonError('ITEM_NOT_FOUND', `there is no item ${number}`, { item: number });
  }

  /** A run that cannot be read must not hide the question it asks. */
  details(row: InboxRow): Promise<Record<string, unknown>> {
    const { ports, machines } = this.around;
    const sources = { store: ports.store, machines, system: () => this.system() };
    return itemDetails(sources, row).catch((problem) => ({ problem: String(problem) }));
  }

  /** Who answered it, and how; null while it is open. */
  outcome(row: InboxRow): Promise<ItemAnswer | null> {
    const { ports, machines } = this.around;
    return itemAnswer({ store: ports.store, machines }, row);
  }

  async answer(row: InboxRow, given: GivenAnswer, by: By): Promise<Answered> {
    if (row.answeredAt !== null) {
      const { by: who = 'somebody', did = 'answered this' } = (await this.outcome(row)) ?? {};
      const reason = `item ${row.item} was answered at ${row.answeredAt}: ${who} ${did}`;
      throw new BatonError('ITEM_CLOSED', reason, { item: row.item });
    }
    const answer = plainAnswer(given);
    if (row.kind === 'login') return { said: await this.answerLogin(row, answer, by), job: null };
    if (row.kind === 'landing') return this.answerLanding(row, answer, by);
    const budget = budgetQuestion(row.key);
    if (row.run === SYSTEM_RUN && budget !== undefined) {
      return { said: await this.answerBudget(row.item, budget, answer, by), job: null };
    }
    if ((await this.around.ports.store.run(row.run))?.kind === 'session') {
      const rule = given.always && (await this.sessionRule(row, given.always.days, by.actor));
      return { said: `${await answerSession(this.around.sessions, row, given, by)}${rule ?? ''}`, job: null };
    }
    const other = await this.answerOther(row, answer, by);
    if (other !== undefined) return { said: other, job: null };
    const { jobs } = this.around;
    const rule = answer.always && (await this.ruleFor(row, answer.always.days, by.actor));
    await answerJob(jobs, row, answer, by);
    const { status } = await jobs.show(row.run);
    return { said: `${row.run} is ${status}.${rule ?? ''}`, job: row.run };
  }

  /** Of what is no job; undefined when it is one. */
  private async answerOther(row: InboxRow, answer: Answer, by: By): Promise<string | undefined> {
    const { ports, machines, operator, envelopes, bridges } = this.around;
    const kind = (await ports.store.run(row.run))?.kind;
    if (kind === 'ledger') return answerLedger(operator, row, answer, by);
    if (kind === 'envelope') return answerEnvelope(envelopes, row, answer, by);
    if (kind === 'bridge') return answerBridge(bridges, row, answer, by);
    if (kind !== 'task') return undefined;
    if (answer.always) throw new BatonError('USAGE', '--always is for commands that the agent of a job asks for');
    const folded = await readRun(ports.store, machines, row.run);
    await answerTask(this.around, row, folded?.state as LiveTask, answer, by);
    return `${row.run} goes on.`;
  }

  /** What is said to a repeat of an answer that has counted. */
  async answered(row: InboxRow): Promise<Answered> {
    const { jobs, landings } = this.around;
    if (row.run === SYSTEM_RUN) return { said: 'Answered already.', job: null };
    const kind = (await this.around.ports.store.run(row.run))?.kind;
    if (kind !== undefined && kind !== 'job' && kind !== 'landing') return { said: 'Answered already.', job: null };
    const job = row.kind === 'landing' ? (await landings.order(row.run)).job : row.run;
    return { said: `${job} is ${(await jobs.show(job)).status}.`, job };
  }

  /** Made before the answer is given: a rule that cannot be made is a reason to think again. */
  private async ruleFor({ run, kind }: InboxRow, days: number | null, actor: string): Promise<string> {
    const { jobs } = this.around;
    const { stage, order, workspace } = await jobs.state(run);
    if (kind !== 'exec_approval' || stage.name !== 'approving') {
      throw new BatonError('USAGE', '--always is for commands that an agent asks for');
    }
    const folder = workspace?.folder ?? stage.wanted.cwd;
    const { wanted, agent } = stage;
    return this.keepRule({ ...wanted, agent, folder, repo: order.repository?.folder ?? folder }, days, actor);
  }

  /** The same for what a session asks for. */
  private async sessionRule(row: InboxRow, days: number | null, actor: string): Promise<string> {
    const { sessions, ports } = this.around;
    const session = await sessions.state(row.run);
    const { argv, cwd, where } = await sessionDetails(ports.store, session, row);
    if (row.kind !== 'exec_approval' || !Array.isArray(argv)) {
      throw new BatonError('USAGE', '--always is for commands that an agent asks for');
    }
    if (where === 'outside') {
      throw new BatonError('RULE_TOO_WIDE', 'it would run outside of the sandbox, so a person decides every time');
    }
    const { cwd: folder, agent, repository } = session.order;
    const wanted = { kind: 'exec', what: commandLine(argv), cwd: String(cwd), why: null };
    return this.keepRule({ ...wanted, agent, folder, repo: repository ?? folder }, days, actor);
  }

  private async keepRule(wanted: WantedRule, days: number | null, actor: string): Promise<string> {
    const { rules, ports } = this.around;
    const { kind: wants, what, cwd, agent, folder, repo } = wanted;
    const scope = {
      ...{ workspace: folder, repo, agent, author: actor },
      nowMs: ports.clock.nowMs(),
      ...(days !== null && { days }),
    };
    const made = wants === 'network' ? hostRule(what, scope) : narrowestRules(await rules.read(what, cwd), scope);
    if ('refusal' in made) throw new BatonError('RULE_TOO_WIDE', made.refusal);
    if (!(await this.around.holds())) {
      throw new BatonError('RULE_TOO_WIDE', 'no sandbox holds here, so a person decides every time');
    }
    const why = wanted.why ?? '';
    // It was asked for because of a rule, and asking is stronger than allowing.
    if (why.startsWith('rule ')) throw new BatonError('RULE_TOO_WIDE', `${why}; take that back first: baton rule rm`);
    const ids: number[] = [];
    for (const rule of made.rules) ids.push(await rules.add(rule, actor));
    return ` Rule ${ids.join(', ')}: ${made.rules.map(({ argv = [], host = '' }) => argv.join(' ') || host).join('; ')}.`;
  }

  /** Which paths are taken, and which logins cannot be used now. */
  async system(): Promise<SystemState | undefined> {
    const { ports, machines } = this.around;
    return (await readRun(ports.store, machines, SYSTEM_RUN))?.state as SystemState | undefined;
  }

  private async answerLogin({ key }: InboxRow, { decision, text, raise }: Answer, by: By): Promise<string> {
    if (decision === undefined || text !== undefined || raise !== undefined) {
      throw new BatonError(
        'USAGE',
        'a lost login takes --approve when it works again, or --deny to stop waiting for it',
      );
    }
    const found = [...((await this.system())?.logins ?? [])].find(([, { loss }]) => `login-${loss}` === key);
    if (!found) throw new BatonError('ITEM_CLOSED', 'the login works again');
    const [login] = found;
    const atMs = this.around.ports.clock.nowMs();
    const type = decision === 'approve' ? 'TryLoginNow' : 'FindLogin';
    const command: SystemCommand = { type, atMs, login };
    orThrow(await this.around.engine.send(SYSTEM_RUN, command, by));
    return decision === 'approve' ? `Whoever is next tries ${login}.` : `${login} is asked again like any other.`;
  }

  /** A budget that is raised lets everything go on that waits for it, in whatever process. */
  private async answerBudget(item: number, question: number, answer: Answer, by: By): Promise<string> {
    const { decision, raise } = answer;
    const { budgets } = this.around;
    if (raise !== undefined) {
      await budgets.raise(question, raise, by);
      return 'Raised; what waited goes on.';
    }
    if (decision !== 'deny') {
      throw new BatonError('USAGE', `a budget takes --raise N or --deny: baton answer ${item} --raise N`);
    }
    await budgets.leave(question, by);
    return 'Left as it is; what waits goes on at 00:00 UTC.';
  }

  private async answerLanding(row: InboxRow, { decision, text, raise }: Answer, by: By): Promise<Answered> {
    const { landings } = this.around;
    if (decision === 'approve' || raise !== undefined) {
      throw new BatonError('USAGE', 'a landing takes --guidance to send it back, or --deny to drop it');
    }
    const { job } = await landings.order(row.run);
    if (decision === 'deny') {
      await landings.drop(row.run, by);
      return { said: 'Dropped; the branch is kept.', job };
    }
    const again = await landings.sendBack(row.run, text, by);
    return { said: `Sent back as ${again}: baton job run ${again}`, job: again };
  }
}
