import { type ReactNode, useState } from 'react';
import { useLive } from '../live/live-context.js';
import { CommandLine } from '../parts/command-line.js';
import { KeyList } from './key-list.js';
import { Nav, SmallNav } from './nav.js';
import { TopBar } from './top-bar.js';
import { TrustStrip } from './trust-strip.js';
import { useKeys } from './use-keys.js';

type Props = { section: string; run: string | null; children: ReactNode };

/** What stands around every page: where to go, where one is, and whether what is shown can be believed. */
export function Frame({ section, run, children }: Props) {
  const [keysShown, showKeys] = useState(false);
  useKeys({ onHelp: () => showKeys(true) });
  return (
    <>
      <a className="vh" href="#main">
        Skip to content
      </a>
      <div className="app">
        <Nav section={section} />
        <TopBar section={section} run={run} onKeys={() => showKeys(true)} />
        <main id="main" tabIndex={-1}>
          <RefusedBanner />
          {children}
        </main>
        <TrustStrip />
        <SmallNav section={section} />
      </div>
      {keysShown && <KeyList onClose={() => showKeys(false)} />}
    </>
  );
}

/** Nothing is hidden until somebody logs in again: it only no longer moves. */
function RefusedBanner() {
  const { wire } = useLive();
  if (wire.name !== 'refused') return null;
  return (
    <div className="banner refused" role="alert">
      <span>You are not logged in: {wire.error.message}. Log in again with a new link.</span>
      <CommandLine command="baton console" />
    </div>
  );
}
