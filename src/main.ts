/** The full tier of the command line: every command that is not in cli/quick.ts, loaded when it is called. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { RunCommand } from './cli/command.js';
import type { BatonCommand, OpenBaton } from './cli/opened-baton.js';
import type { HomeCommand } from './cli/opened-home.js';
import { reportError } from './cli/report-error.js';
import { homeFolder } from './settings/home.js';

/** Told here: the quick tier is a bundle of its own, whose BatonError is another class than this one's. */
function telling(run: RunCommand): RunCommand {
  return (parsed, io) => run(parsed, io).catch((failure) => reportError(io, failure, parsed.values.json === true));
}

function lazily(load: () => Promise<RunCommand>): RunCommand {
  return telling(async (parsed, io) => (await load())(parsed, io));
}

/** For commands that only read: a home without a store stays without one. */
function reading(load: () => Promise<HomeCommand>): RunCommand {
  return telling(async (parsed, io) => {
    const [run, { openHome }] = await Promise.all([load(), import('./wiring.js')]);
    return run(parsed, io, () => openHome({ home: homeFolder(io), env: io.env, writer: 'main', readOnly: true }));
  });
}

/** For commands that change something: they need an engine, and make the home when there is none. */
function working(load: () => Promise<BatonCommand>): RunCommand {
  return telling(async (parsed, io) => {
    const [run, { openBaton }] = await Promise.all([load(), import('./wiring.js')]);
    return run(parsed, io, (how) =>
      openBaton({ home: homeFolder(io), env: io.env, cwd: io.cwd, writer: 'main', ...how }),
    );
  });
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
  working(async () => (await import('./cli/commands/job-move.js')).jobMoves[verb]);

export const fullCommands: Readonly<Record<string, RunCommand>> = {
  status: working(async () => (await import('./cli/commands/status.js')).runStatus),
  run: working(async () => (await import('./cli/commands/run.js')).runRun),
  inbox: working(async () => (await import('./cli/commands/inbox.js')).runInbox),
  answer: working(async () => (await import('./cli/commands/inbox.js')).runAnswer),
  'agent register': working(async () => (await import('./cli/commands/agent.js')).runAgentRegister),
  'agent list': working(async () => (await import('./cli/commands/agent.js')).runAgentList),
  'agent show': working(async () => (await import('./cli/commands/agent.js')).runAgentShow),
  'job create': working(async () => (await import('./cli/commands/job-create.js')).runJobCreate),
  'job run': working(async () => (await import('./cli/commands/job-run.js')).runJobRun),
  'job step': working(async () => (await import('./cli/commands/job-run.js')).runJobStep),
  'job poststep': working(async () => (await import('./cli/commands/job-poststep.js')).runJobPoststep),
  'job tell': working(async () => (await import('./cli/commands/job-tell.js')).runJobTell),
  'job open': working(async () => (await import('./cli/commands/job-open.js')).runJobOpen),
  'job pr': working(async () => (await import('./cli/commands/job-pr.js')).runJobPr),
  'job show': working(async () => (await import('./cli/commands/job-show.js')).runJobShow),
  'job list': working(async () => (await import('./cli/commands/job-show.js')).runJobList),
  'job history': working(async () => (await import('./cli/commands/job-history.js')).runJobHistory),
  'job log': working(async () => (await import('./cli/commands/job-log.js')).runJobLog),
  'job manifest': working(async () => (await import('./cli/commands/job-history.js')).runJobManifest),
  'job metrics': working(async () => (await import('./cli/commands/job-history.js')).runJobMetrics),
  'job replay': working(async () => (await import('./cli/commands/job-history.js')).runJobReplay),
  'job export': working(async () => (await import('./cli/commands/job-history.js')).runJobExport),
  'job import': working(async () => (await import('./cli/commands/job-history.js')).runJobImport),
  'job clean': working(async () => (await import('./cli/commands/job-clean.js')).runJobClean),
  'job land': working(async () => (await import('./cli/commands/job-land.js')).runJobLand),
  'job diff': working(async () => (await import('./cli/commands/job-land.js')).runJobDiff),
  'job fork': working(async () => (await import('./cli/commands/job-land.js')).runJobFork),
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
  'rule list': working(async () => (await import('./cli/commands/rule.js')).runRuleList),
  'rule add': working(async () => (await import('./cli/commands/rule.js')).runRuleAdd),
  'rule rm': working(async () => (await import('./cli/commands/rule.js')).runRuleRm),
  'rule test': working(async () => (await import('./cli/commands/rule.js')).runRuleTest),
  'token create': working(async () => (await import('./cli/commands/token.js')).runTokenCreate),
  'token list': working(async () => (await import('./cli/commands/token.js')).runTokenList),
  'token revoke': working(async () => (await import('./cli/commands/token.js')).runTokenRevoke),
  runs: reading(async () => (await import('./cli/commands/runs.js')).runRuns),
  ps: reading(async () => (await import('./cli/commands/runs.js')).runRuns),
  events: reading(async () => (await import('./cli/commands/events.js')).runEvents),
  'notify add': working(async () => (await import('./cli/commands/notify.js')).runNotifyAdd),
  'notify list': working(async () => (await import('./cli/commands/notify.js')).runNotifyList),
  'notify test': working(async () => (await import('./cli/commands/notify.js')).runNotifyTest),
  'notify rm': working(async () => (await import('./cli/commands/notify.js')).runNotifyRm),
  cost: reading(async () => (await import('./cli/commands/cost.js')).runCost),
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
  console: lazily(async () => (await import('./cli/commands/console.js')).runConsole),
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
