import { useLive } from '../live/live-context.js';
import { grouped } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Icon } from './icon.js';
import { Link } from './link.js';
import { sectionName } from './sections.js';
import { switchTheme } from './theme.js';

type Props = { section: string; run: string | null; onKeys(): void; onSearch(): void };

export function TopBar({ section, run, onKeys, onSearch }: Props) {
  return (
    <header className="top">
      <div className="crumb">
        {run === null ? (
          <b>{sectionName(section)}</b>
        ) : (
          <>
            <Link to={`/${section}`}>{sectionName(section)}</Link>
            <span className="t3">/</span>
            <b>
              <Words text={shortName(run)} />
            </b>
          </>
        )}
        <Beside section={run === null ? section : ''} />
      </div>
      <div className="sp" />
      <button type="button" className="find" aria-haspopup="dialog" aria-keyshortcuts="/" onClick={onSearch}>
        <Icon name="search" size={14} />
        <span>Search or run a command</span>
        <span className="sp" />
        <kbd>/</kbd>
      </button>
      <button type="button" className="icon only-s-grid" aria-label="Search or run a command" onClick={onSearch}>
        <Icon name="search" />
      </button>
      <button type="button" className="icon" aria-label="Switch theme" onClick={switchTheme}>
        <Icon name="theme" />
      </button>
      <button type="button" className="icon hide-s" aria-label="Keyboard shortcuts" onClick={onKeys}>
        <Icon name="help" />
      </button>
    </header>
  );
}

/** A UUID says no more than its beginning. */
function shortName(run: string): string {
  return run.replace(/^([0-9a-f]{8})-[0-9a-f-]{27}/, '$1');
}

/** What is known about a page beside its name. */
function Beside({ section }: { section: string }) {
  const { items } = useLive();
  const words = (): string | null => {
    if (section === 'inbox' && items !== null && items.length > 0) {
      return items.length === 1 ? '1 waits for you' : `${grouped(items.length)} wait for you`;
    }
    if (section === 'costs') return 'metered, or as agents reported';
    return null;
  };
  return words() === null ? null : <span className="t3 hide num">{words()}</span>;
}
