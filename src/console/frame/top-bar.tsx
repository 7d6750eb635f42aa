import type { FormEvent } from 'react';
import { useLive } from '../live/live-context.js';
import { Words } from '../parts/shown-text.js';
import { goTo } from './address.js';
import { Icon } from './icon.js';
import { Link } from './link.js';
import { switchTheme } from './theme.js';

const NAMES: Readonly<Record<string, string>> = { inbox: 'Inbox', runs: 'Runs', audit: 'Audit', system: 'System' };

type Props = { section: string; run: string | null; onKeys(): void };

export function TopBar({ section, run, onKeys }: Props) {
  const { items } = useLive();
  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const words = new FormData(event.currentTarget).get('q');
    goTo(`/runs?${new URLSearchParams({ view: 'all', q: String(words ?? '') })}`);
  };
  return (
    <header className="top">
      <div className="crumb">
        {run === null ? (
          <b>{NAMES[section]}</b>
        ) : (
          <>
            <Link to="/runs">Runs</Link>
            <span className="t3">/</span>
            <b>
              <Words text={run} />
            </b>
          </>
        )}
        {section === 'inbox' && items !== null && items.length > 0 && (
          <span className="t3 hide">{items.length === 1 ? '1 waits for you' : `${items.length} wait for you`}</span>
        )}
      </div>
      <div className="sp" />
      <search>
        <form className="find" onSubmit={search}>
          <Icon name="search" size={14} />
          <input id="search" name="q" aria-label="Search runs" placeholder="Search runs" autoComplete="off" />
          <kbd>/</kbd>
        </form>
      </search>
      <button type="button" className="icon" aria-label="Switch theme" onClick={switchTheme}>
        <Icon name="theme" />
      </button>
      <button type="button" className="icon hide-s" aria-label="Keyboard shortcuts" onClick={onKeys}>
        <Icon name="help" />
      </button>
    </header>
  );
}
