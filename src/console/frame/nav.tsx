import { Fragment, useState } from 'react';
import { useLive } from '../live/live-context.js';
import { Words } from '../parts/shown-text.js';
import { Dialog } from './dialog.js';
import { Icon } from './icon.js';
import { Link } from './link.js';
import { logOut } from './log-out.js';
import { Mark } from './mark.js';
import { SECTIONS } from './sections.js';

/** At the foot of a small screen; the others are behind More. */
const SMALL: readonly string[] = ['inbox', 'runs', 'jobs', 'sessions'];

export function Nav({ section }: { section: string }) {
  const { items, who, system } = useLive();
  const live = (system?.workers ?? []).reduce((sum, { leases }) => sum + leases.length, 0);
  return (
    <nav className="nav" aria-label="Sections">
      <div className="brand">
        <Mark />
        Baton
      </div>
      {SECTIONS.map(({ to, name, icon, group }) => (
        <Fragment key={to}>
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
            {to === 'runs' && live > 0 && <span className="n num">{live} live</span>}
          </Link>
        </Fragment>
      ))}
      <div className="sp" />
      {who && (
        <div className="row me">
          <span className="ava" aria-hidden="true">
            {initials(who.name)}
          </span>
          <div className="sm sp el">
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
  const [more, showMore] = useState(false);
  const others = SECTIONS.filter(({ to }) => !SMALL.includes(to));
  return (
    <>
      <nav className="mnav" aria-label="Main">
        {SECTIONS.filter(({ to }) => SMALL.includes(to)).map(({ to, name, icon }) => (
          <Link key={to} to={`/${to}`} current={section === to}>
            <Icon name={icon} size={18} />
            {name}
            {to === 'inbox' && items !== null && items.length > 0 && <span className="n">{items.length}</span>}
          </Link>
        ))}
        <button type="button" aria-haspopup="dialog" onClick={() => showMore(true)}>
          <Icon name="more" size={18} />
          {others.find(({ to }) => to === section)?.name ?? 'More'}
        </button>
      </nav>
      {more && (
        <Dialog title="More" onClose={() => showMore(false)}>
          <ul className="more-list">
            {others.map(({ to, name, icon }) => (
              <li key={to}>
                <Link to={`/${to}`} onFollow={() => showMore(false)}>
                  <Icon name={icon} />
                  {name}
                </Link>
              </li>
            ))}
            <li>
              <button type="button" onClick={logOut}>
                <Icon name="leave" />
                Log out
              </button>
            </li>
          </ul>
        </Dialog>
      )}
    </>
  );
}

function initials(name: string): string {
  const [first = '', second = ''] = name.split(/[\s._-]+/);
  return (second === '' ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)).toUpperCase();
}
