import type { System } from '../../client/index.js';
import { useLive } from '../live/live-context.js';
import { age, bytes, clockTime, dollars, grouped } from '../parts/figures.js';
import { Glyph } from '../parts/status.js';
import { Link } from './link.js';

/** On every page: whether this is live, how far the log is, who works, where it lies, whether it is whole, and the cost. */
export function TrustStrip() {
  const { wire, position, system, who } = useLive();
  return (
    <footer className="bar">
      <span className={wire.name === 'stale' || wire.name === 'refused' ? 'bad' : ''}>
        <i className={`pulse ${wire.name.replace(' ', '-')}`} />
        {wireWords(wire)}
      </span>
      <span className="num">event {grouped(position)}</span>
      {system && <Workers workers={system.workers} />}
      {system && <span className="hide">SQLite {bytes(system.store.bytes)}</span>}
      {system && <Chain chain={system.chain} />}
      <span className="sp" />
      {system && <Spend usd={system.today.cost_usd} />}
      {who && <span className="hide">baton {who.version}</span>}
    </footer>
  );
}

function Workers({ workers }: { workers: System['workers'] }) {
  const gone = workers.filter(({ alive }) => !alive).length;
  const runs = workers.reduce((sum, { leases }) => sum + leases.length, 0);
  return (
    <Link to="/system" className={`hide ${gone > 0 ? 'bad' : ''}`}>
      {gone > 0 && <Glyph glyph="octagon" tone="bad" size={11} />}
      {counted(workers.length - gone, 'worker')}, {counted(runs, 'live run')}
      {gone > 0 && `, ${gone} silent`}
    </Link>
  );
}

/** Red, and with the name of the run, when a check has found something. */
function Chain({ chain: { last, intact_since, checking } }: { chain: System['chain'] }) {
  const { nowMs } = useLive();
  if (last === null) return <span className="t3">{checking ? 'chain is checked now' : 'chain not checked yet'}</span>;
  if (!last.ok) {
    const { run_id, says } = last.finding ?? {};
    return (
      <Link to="/audit" className="bad b">
        <Glyph glyph="octagon" tone="bad" size={11} />
        chain broken{run_id === undefined ? '' : ` in ${run_id}`}
        <span className="vh">: {says}</span>
      </Link>
    );
  }
  return (
    <Link to="/audit">
      <Glyph glyph="tick" tone="ok" size={11} />
      chain checked {age(nowMs - Date.parse(last.at))} ago
      <span className="vh">, intact since {clockTime(intact_since ?? last.at)}</span>
    </Link>
  );
}

/** Against the limit of a day for everything, where there is one. */
function Spend({ usd }: { usd: number }) {
  const { budgets } = useLive();
  const whole = budgets.find(({ project }) => project === null);
  return (
    <Link to="/costs" className="hide num">
      today {dollars(whole?.spent_usd ?? usd)}
      {whole && whole.limit_usd !== null && ` of ${dollars(whole.limit_usd)}`}
    </Link>
  );
}

function counted(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
}

function wireWords(wire: ReturnType<typeof useLive>['wire']): string {
  switch (wire.name) {
    case 'live':
      return 'Live';
    case 'catching up':
      return wire.behind === null ? 'Catching up' : `Catching up, ${grouped(wire.behind)} behind`;
    case 'stale':
      return `Stale since ${clockTime(wire.sinceMs)}`;
    case 'refused':
      return 'Logged out';
    case 'connecting':
      return 'Connecting';
  }
}
