/** The full tier of the command line: every command that is not in cli/quick.ts, loaded when it is called. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { RunCommand } from './cli/command.js';
import type { Io } from './cli/io.js';
import type { BatonCommand, OpenBaton } from './cli/opened-baton.js';
import type { DeskCommand, LookingCommand } from './cli/opened-desk.js';
import type { HomeCommand } from './cli/opened-home.js';
import { reportError } from './cli/report-error.js';
import type { SessionCommand } from './cli/session/opened-sessions.js';
import { BatonError } from './contracts/shared/errors.js';
import type { Baton } from './engine/opened-baton.js';
import type { Reached } from './remote/find-server.js';
import { homeFolder } from './settings/home.js';

/** Told here: the quick tier is a bundle of its own, whose BatonError is another class than this one's. */
function telling(run: RunCommand): RunCommand {
  return (parsed, io) => run(parsed, io).catch((failure) => reportError(io, failure, parsed.values.json === true));
}

function lazily(load: () => Promise<RunCommand>): RunCommand {
  return telling(async (parsed, io) => (await load())(parsed, io));
}

/** For commands on the files of a home: they are not where another machine's server is. */
function notElsewhere(io: Io): void {
  if (!io.env.BATON_URL) return;
  const reason = `this works where the server is, not through ${io.env.BATON_URL}; for the home here, unset BATON_URL`;
  throw new BatonError('USAGE', reason);
}

/** For commands that only read: a home without a store stays without one. */
function reading(load: () => Promise<HomeCommand>): RunCommand {
  return telling(async (parsed, io) => {
    notElsewhere(io);
    const [run, { openHome }] = await Promise.all([load(), import('./wiring.js')]);
    return run(parsed, io, () => openHome({ home: homeFolder(io), env: io.env, writer: 'main', readOnly: true }));
  });
}

/** For commands that change something: they need an engine, and make the home when there is none. */
function working(load: () => Promise<BatonCommand>): RunCommand {
  return telling(async (parsed, io) => {
    notElsewhere(io);
    return (await load())(parsed, io, (how) => openHere(io, how));
  });
}

async function openHere(io: Io, how: Parameters<OpenBaton>[0]): Promise<Baton> {
  const { openBaton } = await import('./wiring.js');
  return openBaton({ home: homeFolder(io), env: io.env, cwd: io.cwd, writer: 'main', ...how });
}

/** For commands that work through a server when there is one, and without one else. */
function anywhere(load: () => Promise<DeskCommand>): RunCommand {
  return telling(async (parsed, io) =>
    (await load())(parsed, io, async (how = {}) => {
      const server = await serverOf(io);
      // A worker beside the server's own takes what is due, in this process.
      if (!server || (server.own && (how.claimsAny || how.here))) return openHere(io, how);
      const { openRemoteDesk } = await import('./wiring/remote-desk.js');
      return openRemoteDesk(server, homeFolder(io), io, how);
    }),
  );
}

/** For those that talk with sessions: through the server that BATON_URL names, else in this process. */
function conversing(load: () => Promise<SessionCommand>): RunCommand {
  return telling(async (parsed, io) =>
    (await load())(parsed, io, async () => {
      if (!io.env.BATON_URL) return { baton: await openHere(io, { drives: true }) };
      const server = await serverOf(io);
      if (!server) throw new BatonError('USAGE', `BATON_URL is no address: ${io.env.BATON_URL}`);
      return { server: (await import('./wiring/remote-sessions.js')).remoteSessions(server) };
    }),
  );
}

/** The same, for those that only look. */
function looking(load: () => Promise<LookingCommand>): RunCommand {
  return telling(async (parsed, io) =>
    (await load())(parsed, io, async () => {
      const server = await serverOf(io);
      if (server) return (await import('./wiring/remote-desk.js')).lookRemotely(server, io);
      const { openHome } = await import('./wiring.js');
      return openHome({ home: homeFolder(io), env: io.env, writer: 'main', readOnly: true });
    }),
  );
}

async function serverOf(io: Io): Promise<Reached | undefined> {
  const home = homeFolder(io);
  if (!io.env.BATON_URL && !existsSync(path.join(home, 'server.json'))) return undefined;
  const { namedServer, ownServer } = await import('./remote/find-server.js');
  return namedServer(io.env) ?? ownServer(home);
}

/** Undefined in a checkout that was not built. */
function consoleFolder(): { consoleFolder?: string } {
  const root = path.dirname(createRequire(import.meta.url).resolve('baton/package.json'));
  const folder = path.join(root, 'dist/console');
  return existsSync(folder) ? { consoleFolder: folder } : {};
}

function ownVersion(): string {
  return createRequire(import.meta.url)('baton/package.json').version;
}

const move = (verb: keyof typeof import('./cli/commands/job-move.js').jobMoves): RunCommand =>
  anywhere(async () => (await import('./cli/commands/job-move.js')).jobMoves[verb]);

export const fullCommands: Readonly<Record<string, RunCommand>> = {
  status: anywhere(async () => (await import('./cli/commands/status.js')).runStatus),
  run: anywhere(async () => (await import('./cli/commands/run.js')).runRun),
  inbox: anywhere(async () => (await import('./cli/commands/inbox.js')).runInbox),
  answer: anywhere(async () => (await import('./cli/commands/inbox.js')).runAnswer),
  'agent register': anywhere(async () => (await import('./cli/commands/agent.js')).runAgentRegister),
  'agent list': anywhere(async () => (await import('./cli/commands/agent.js')).runAgentList),
  'agent show': anywhere(async () => (await import('./cli/commands/agent.js')).runAgentShow),
  'job create': anywhere(async () => (await import('./cli/commands/job-create.js')).runJobCreate),
  'job run': anywhere(async () => (await import('./cli/commands/job-run.js')).runJobRun),
  'job step': anywhere(async () => (await import('./cli/commands/job-run.js')).runJobStep),
  'job poststep': anywhere(async () => (await import('./cli/commands/job-poststep.js')).runJobPoststep),
  'job tell': anywhere(async () => (await import('./cli/commands/job-tell.js')).runJobTell),
  'job open': working(async () => (await import('./cli/commands/job-open.js')).runJobOpen),
  'job pr': working(async () => (await import('./cli/commands/job-pr.js')).runJobPr),
  'job show': anywhere(async () => (await import('./cli/commands/job-show.js')).runJobShow),
  'job list': anywhere(async () => (await import('./cli/commands/job-show.js')).runJobList),
  'job history': anywhere(async () => (await import('./cli/commands/job-history.js')).runJobHistory),
  'job log': anywhere(async () => (await import('./cli/commands/job-log.js')).runJobLog),
  'job manifest': anywhere(async () => (await import('./cli/commands/job-history.js')).runJobManifest),
  'job metrics': anywhere(async () => (await import('./cli/commands/job-history.js')).runJobMetrics),
  'job replay': working(async () => (await import('./cli/commands/job-history.js')).runJobReplay),
  'job export': working(async () => (await import('./cli/commands/job-history.js')).runJobExport),
  'job import': working(async () => (await import('./cli/commands/job-history.js')).runJobImport),
  'job clean': working(async () => (await import('./cli/commands/job-clean.js')).runJobClean),
  'job land': anywhere(async () => (await import('./cli/commands/job-land.js')).runJobLand),
  'job diff': anywhere(async () => (await import('./cli/commands/job-land.js')).runJobDiff),
  'job fork': anywhere(async () => (await import('./cli/commands/job-land.js')).runJobFork),
  'job activate': move('activate'),
  'job cancel': move('cancel'),
  'job approve': move('approve'),
  'job reject': move('reject'),
  'job resubmit': move('resubmit'),
  'job terminate': move('terminate'),
  'job raise': move('raise'),
  'job restep': move('restep'),
  'job rerun': move('rerun'),
  'job rank': move('rank'),
  'job rollback': move('rollback'),
  'job checkpoint': move('checkpoint'),
  'envelope process': anywhere(async () => (await import('./cli/commands/envelope.js')).runEnvelopeProcess),
  'envelope step': anywhere(async () => (await import('./cli/commands/envelope.js')).runEnvelopeStep),
  'bridge run': working(async () => (await import('./cli/commands/bridge-run.js')).runBridgeRun),
  'bridge watch': working(async () => (await import('./cli/commands/bridge-watch.js')).runBridgeWatch),
  'bridge respond': working(async () => (await import('./cli/commands/bridge.js')).runBridgeRespond),
  'bridge status': working(async () => (await import('./cli/commands/bridge.js')).runBridgeStatus),
  'bridge cleanup': working(async () => (await import('./cli/commands/bridge.js')).runBridgeCleanup),
  'operator init': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorInit),
  'operator plan': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorPlan),
  'operator run': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorRun),
  'operator ledger': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorLedger),
  'operator locks': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorLocks),
  'operator worklog': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorWorklog),
  'operator assign': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorAssign),
  'operator claim': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorClaim),
  'operator heartbeat': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorHeartbeat),
  'operator result': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorResult),
  'operator delta': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorDelta),
  'operator tick': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorTick),
  'operator reconcile': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorReconcile),
  'operator handoff': anywhere(async () => (await import('./cli/commands/operator.js')).runOperatorHandoff),
  chat: conversing(async () => (await import('./cli/commands/chat.js')).runChat),
  exec: conversing(async () => (await import('./cli/commands/exec.js')).runExec),
  session: conversing(async () => (await import('./cli/commands/session.js')).runSession),
  'rule list': anywhere(async () => (await import('./cli/commands/rule.js')).runRuleList),
  'rule add': anywhere(async () => (await import('./cli/commands/rule.js')).runRuleAdd),
  'rule rm': anywhere(async () => (await import('./cli/commands/rule.js')).runRuleRm),
  'rule test': anywhere(async () => (await import('./cli/commands/rule.js')).runRuleTest),
  'token create': anywhere(async () => (await import('./cli/commands/token.js')).runTokenCreate),
  'token list': anywhere(async () => (await import('./cli/commands/token.js')).runTokenList),
  'token revoke': anywhere(async () => (await import('./cli/commands/token.js')).runTokenRevoke),
  runs: looking(async () => (await import('./cli/commands/runs.js')).runRuns),
  ps: looking(async () => (await import('./cli/commands/runs.js')).runRuns),
  events: looking(async () => (await import('./cli/commands/events.js')).runEvents),
  'budget set': anywhere(async () => (await import('./cli/commands/budget.js')).runBudgetSet),
  'budget list': anywhere(async () => (await import('./cli/commands/budget.js')).runBudgetList),
  'notify add': working(async () => (await import('./cli/commands/notify.js')).runNotifyAdd),
  'notify list': working(async () => (await import('./cli/commands/notify.js')).runNotifyList),
  'notify test': working(async () => (await import('./cli/commands/notify.js')).runNotifyTest),
  'notify rm': working(async () => (await import('./cli/commands/notify.js')).runNotifyRm),
  cost: looking(async () => (await import('./cli/commands/cost.js')).runCost),
  'audit verify': reading(async () => (await import('./cli/commands/audit.js')).runAuditVerify),
  'audit head': reading(async () => (await import('./cli/commands/audit.js')).runAuditHead),
  'audit show': reading(async () => (await import('./cli/commands/audit.js')).runAuditShow),
  'audit export': reading(async () => (await import('./cli/commands/audit.js')).runAuditExport),
  'store check': reading(async () => (await import('./cli/commands/store.js')).runStoreCheck),
  'store backup': reading(async () => (await import('./cli/commands/store-backup.js')).runStoreBackup),
  'store stats': reading(async () => (await import('./cli/commands/store.js')).runStoreStats),
  serve: telling(async (parsed, io) => {
    const [{ runServe }, { openBaton }, { listen }] = await Promise.all([
      import('./cli/commands/serve.js'),
      import('./wiring.js'),
      import('./server/listen.js'),
    ]);
    const open: OpenBaton = (how) =>
      openBaton({ home: homeFolder(io), env: io.env, cwd: io.cwd, writer: 'thread', ...how });
    return runServe(parsed, io, open, (baton, options) =>
      listen(baton, { ...options, ...consoleFolder(), version: ownVersion() }),
    );
  }),
  console: lazily(async () => {
    const { runConsole } = await import('./cli/commands/console.js');
    return (parsed, io) => runConsole(parsed, io, serverOf);
  }),
  'template create': lazily(async () => (await import('./cli/commands/template.js')).runTemplateCreate),
  'template apply': lazily(async () => (await import('./cli/commands/template.js')).runTemplateApply),
  trust: lazily(async () => (await import('./cli/commands/trust.js')).runTrust),
  init: lazily(async () => (await import('./cli/commands/init.js')).runInit),
  doctor: lazily(async () => {
    const [{ doctorWith }, { tryBwrap }] = await Promise.all([
      import('./cli/commands/doctor.js'),
      import('./sandbox/choose-sandbox.js'),
    ]);
    return doctorWith(tryBwrap);
  }),
  'config list': lazily(async () => (await import('./cli/commands/config.js')).runConfigList),
  'config get': lazily(async () => (await import('./cli/commands/config.js')).runConfigGet),
  'config set': lazily(async () => (await import('./cli/commands/config.js')).runConfigSet),
  completion: lazily(async () => (await import('./cli/commands/completion.js')).runCompletion),
};
