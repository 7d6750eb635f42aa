import { useEffect } from 'react';
import type { JobView } from '../../client/index.js';
import { setQuery, useAddress } from '../frame/address.js';
import { isTyping } from '../frame/use-keys.js';
import { grouped } from '../parts/figures.js';
import { ChosenHandoff } from './chosen-handoff.js';
import { EventTable } from './event-table.js';
import { EvidenceTable } from './evidence-table.js';
import { ChangesTab, LogTab, ManifestTab } from './loaded-tabs.js';
import { Relay } from './relay.js';

const TABS = ['relay', 'changes', 'evidence', 'log', 'events', 'manifest'] as const;
type Tab = (typeof TABS)[number];

type Props = { view: JobView; live: boolean };

export function RunTabs({ view, live }: Props) {
  const { query } = useAddress();
  const tab: Tab = TABS.find((name) => name === query.get('tab')) ?? 'relay';
  useTabKeys(tab);
  const counts: Partial<Record<Tab, number>> = { relay: view.attempts, events: view.event };
  return (
    <div className="stack">
      <section className="card" aria-label="What happened">
        <div className="tabs" role="tablist" aria-label="Views of the run">
          {TABS.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={tab === name}
              aria-controls="tab-panel"
              onClick={() => choose(name)}
            >
              {name.charAt(0).toUpperCase() + name.slice(1)}
              {counts[name] !== undefined && <span className="c">{grouped(counts[name])}</span>}
            </button>
          ))}
        </div>
        <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
          {tab === 'relay' && <Relay view={view} live={live} />}
          {tab === 'changes' && <ChangesTab view={view} />}
          {tab === 'evidence' && <EvidenceTable view={view} />}
          {tab === 'log' && <LogTab view={view} />}
          {tab === 'events' && <EventTable run={view.job_id} until={view.event} />}
          {tab === 'manifest' && <ManifestTab view={view} />}
        </div>
      </section>
      {tab === 'relay' && view.attempts > 0 && <ChosenHandoff view={view} />}
    </div>
  );
}

function choose(tab: Tab): void {
  setQuery({ tab: tab === 'relay' ? null : tab });
}

function useTabKeys(tab: Tab): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target)) return;
      const step = { '[': -1, ']': 1 }[event.key];
      const next = step === undefined ? undefined : TABS[TABS.indexOf(tab) + step];
      if (next) choose(next);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [tab]);
}
