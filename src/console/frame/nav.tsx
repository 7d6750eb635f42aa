import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { forgetProof } from '../live/proof.js';
import { Words } from '../parts/shown-text.js';
import { goTo } from './address.js';
import { Icon, type IconName } from './icon.js';
import { Link } from './link.js';

const SECTIONS: readonly { to: string; name: string; icon: IconName; group?: string }[] = [
  { to: 'inbox', name: 'Inbox', icon: 'inbox' },
  { to: 'runs', name: 'Runs', icon: 'runs' },
  { to: 'audit', name: 'Audit', icon: 'audit', group: 'Proof' },
  { to: 'system', name: 'System', icon: 'system' },
];

export function Nav({ section }: { section: string }) {
  const { items, who } = useLive();
  return (
    <nav className="nav" aria-label="Sections">
      <div className="brand">
        <Mark />
        Baton
      </div>
      {SECTIONS.map(({ to, name, icon, group }) => (
        <div key={to}>
          {group !== undefined && <h2>{group}</h2>}
          <Link to={`/${to}`} current={section === to}>
            <Icon name={icon} />
            {name}
            {to === 'inbox' && items !== null && items.length > 0 && (
              <span className="n hot">
                {items.length}
                <span className="vh"> waiting for you</span>
              </span>
            )}
          </Link>
        </div>
      ))}
      <div className="sp" />
      {who && (
        <div className="row me">
          <div className="sm sp">
            <div className="b el">
              <Words text={who.name} />
            </div>
            <div className="t3">{who.role}</div>
          </div>
          <button type="button" className="icon" aria-label="Log out" title="Log out" onClick={logOut}>
            <Icon name="leave" />
          </button>
        </div>
      )}
    </nav>
  );
}

export function SmallNav({ section }: { section: string }) {
  const { items } = useLive();
  return (
    <nav className="mnav" aria-label="Main">
      {SECTIONS.map(({ to, name, icon }) => (
        <Link key={to} to={`/${to}`} current={section === to}>
          <Icon name={icon} size={18} />
          {name}
          {to === 'inbox' && items !== null && items.length > 0 && <span className="n">{items.length}</span>}
        </Link>
      ))}
    </nav>
  );
}

async function logOut(): Promise<void> {
  await client.console.logOut();
  forgetProof();
  goTo('/login');
}

function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M6.2 15.8 15.8 6.2" stroke="var(--text)" strokeWidth="4.6" strokeLinecap="round" />
      <path d="M9.8 12.2l2.4-2.4" stroke="var(--you-fill)" strokeWidth="4.6" />
      <circle cx="3" cy="8" r="1.5" fill="var(--text3)" />
      <circle cx="19" cy="14" r="1.5" fill="var(--text3)" />
    </svg>
  );
}
