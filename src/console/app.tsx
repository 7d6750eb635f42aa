import { useEffect, useMemo } from 'react';
import { AuditPage } from './audit/audit-page.js';
import { BridgeList } from './bridge/bridge-list.js';
import { CostsPage } from './costs/costs-page.js';
import { EnvelopeList } from './envelope/envelope-list.js';
import { goTo, useAddress } from './frame/address.js';
import { Frame } from './frame/frame.js';
import { InboxPage } from './inbox/inbox-page.js';
import { JobsPage } from './jobs/jobs-page.js';
import { Live } from './live/live.js';
import { LiveContext } from './live/live-context.js';
import { LogInPage } from './login/log-in-page.js';
import { OperatorList } from './operator/operator-list.js';
import { RunPage } from './run/run-page.js';
import { RunsPage } from './runs/runs-page.js';
import { SessionList } from './session/session-list.js';
import { SystemPage } from './system/system-page.js';

export function App() {
  const { path } = useAddress();
  return path[0] === 'login' ? <LogInPage /> : <Console />;
}

/** Pages that hold runs: behind them stands the name of one. */
const OF_RUNS: ReadonlySet<string> = new Set(['runs', 'operator', 'envelopes', 'sessions', 'bridges']);

function Console() {
  const { path } = useAddress();
  const live = useMemo(() => new Live(), []);
  useEffect(() => {
    live.start();
    return () => live.end();
  }, [live]);
  const [section = '', id] = path;
  useEffect(() => {
    if (section === '') goTo('/inbox', { replace: true });
  }, [section]);
  return (
    <LiveContext value={live}>
      <Frame section={section} run={OF_RUNS.has(section) ? (id ?? null) : null}>
        {section === 'inbox' && <InboxPage item={id === undefined ? null : Number(id)} />}
        {section === 'runs' && id === undefined && <RunsPage />}
        {OF_RUNS.has(section) && id !== undefined && <RunPage run={id} />}
        {section === 'jobs' && <JobsPage />}
        {section === 'operator' && id === undefined && <OperatorList />}
        {section === 'envelopes' && id === undefined && <EnvelopeList />}
        {section === 'sessions' && id === undefined && <SessionList />}
        {section === 'bridges' && id === undefined && <BridgeList />}
        {section === 'costs' && <CostsPage />}
        {section === 'audit' && <AuditPage />}
        {section === 'system' && <SystemPage />}
      </Frame>
    </LiveContext>
  );
}
