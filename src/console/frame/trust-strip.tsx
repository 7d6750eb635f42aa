import { useLive } from '../live/live-context.js';
import { bytes, clockTime, grouped } from '../parts/figures.js';

/** On every page: whether this is live, how far the log is, and where it lies. */
export function TrustStrip() {
  const { wire, position, system, who } = useLive();
  return (
    <footer className="bar">
      <span>
        <i className={`pulse ${wire.name === 'live' ? '' : 'off'}`} />
        {wireWords(wire)}
      </span>
      <span>event {grouped(position)}</span>
      {system && <span className="hide">SQLite {bytes(system.store.bytes)}</span>}
      {system && <span className="hide">sandbox: {system.sandbox.holds ? system.sandbox.mode : 'none'}</span>}
      <span className="sp" />
      {who && <span className="hide">baton {who.version}</span>}
    </footer>
  );
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
