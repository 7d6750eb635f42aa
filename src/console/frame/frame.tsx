import { type ReactNode, useState } from 'react';
import { useLive } from '../live/live-context.js';
import { useAnnounced } from '../live/use-announced.js';
import { CommandLine } from '../parts/command-line.js';
import { shownText } from '../parts/visible.js';
import { KeyList } from './key-list.js';
import { Nav, SmallNav } from './nav.js';
import { Palette } from './palette.js';
import { sectionName } from './sections.js';
import { TopBar } from './top-bar.js';
import { TrustStrip } from './trust-strip.js';
import { useKeys } from './use-keys.js';

type Props = { section: string; run: string | null; children: ReactNode };

/** What stands around every page: where to go, where one is, and whether what is shown can be believed. */
export function Frame({ section, run, children }: Props) {
  const [over, setOver] = useState<'keys' | 'palette' | null>(null);
  const does = { onHelp: () => setOver('keys'), onSearch: () => setOver('palette') };
  useKeys(does);
  const close = (): void => setOver(null);
  return (
    <>
      <a className="vh" href="#main">
        Skip to content
      </a>
      <div className="app">
        <Nav section={section} />
        <TopBar section={section} run={run} onKeys={does.onHelp} onSearch={does.onSearch} />
        <main id="main" tabIndex={-1} aria-label={run ?? sectionName(section)}>
          <RefusedBanner />
          {children}
        </main>
        <TrustStrip />
        <SmallNav section={section} />
      </div>
      <Announced run={run} />
      {over === 'keys' && <KeyList onClose={close} />}
      {over === 'palette' && <Palette onClose={close} onKeys={does.onHelp} />}
    </>
  );
}

function Announced({ run }: { run: string | null }) {
  return (
    <p className="vh" aria-live="polite" id="announced">
      {shownText(useAnnounced(run))}
    </p>
  );
}

/** Nothing is hidden until somebody logs in again: it only no longer moves. */
function RefusedBanner() {
  const { wire } = useLive();
  if (wire.name !== 'refused') return null;
  return (
    <div className="banner refused" role="alert">
      <span>You are not logged in: {wire.error.message}. Log in again with a new link; what is shown stays.</span>
      <CommandLine command="baton console" />
    </div>
  );
}
