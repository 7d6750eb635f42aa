import { useEffect, useMemo } from 'react';
import type { Run } from '../../client/index.js';
import { goTo, setQuery, useAddress } from '../frame/address.js';
import { Icon } from '../frame/icon.js';
import { FILTER_ID, isTyping } from '../frame/use-keys.js';
import { useLive } from '../live/live-context.js';
import { CommandLine } from '../parts/command-line.js';
import { grouped } from '../parts/figures.js';
import { Glyph } from '../parts/status.js';
import { CLASSES, classOf, type RunClass } from './attention.js';
import { NewJob } from './new-job.js';
import { RunTable } from './run-table.js';
import { type RunList, useRuns } from './use-runs.js';
import { isWork, matches, VIEWS } from './views.js';

const COUNTED: Readonly<Record<RunClass, { name: string; glyph: Parameters<typeof Glyph>[0] }>> = {
  you: { name: 'Need you', glyph: { glyph: 'diamond', tone: 'you' } },
  moving: { name: 'Moving', glyph: { glyph: 'arc', tone: 'run' } },
  queued: { name: 'Queued', glyph: { glyph: 'ring', tone: 'rest' } },
  halted: { name: 'Halted', glyph: { glyph: 'hexagon', tone: 'limit' } },
  failed: { name: 'Failed', glyph: { glyph: 'octagon', tone: 'bad' } },
  finished: { name: 'Finished', glyph: { glyph: 'tick', tone: 'ok' } },
};

export function RunsPage() {
  const { query } = useAddress();
  const list = useRuns();
  const { runs, sort } = list;
  const { nowMs } = useLive();
  const view = query.get('view') ?? 'attention';
  const words = (query.get('q') ?? '').toLowerCase();
  const only = query.get('state');
  useSortKey(sort);
  const minute = Math.floor(nowMs / 60_000) * 60_000;
  const listed = useMemo(() => {
    const { shows } = VIEWS[view] ?? (VIEWS.all as (typeof VIEWS)[string]);
    return (runs ?? []).filter((run) => shows(run, minute) && matches(run, words));
  }, [runs, view, words, minute]);
  const shown = useMemo(() => (only === null ? listed : listed.filter((run) => classOf(run) === only)), [listed, only]);
  return (
    <div className="pad">
      <h1 className="vh">Runs</h1>
      <Tools words={query.get('q') ?? ''} />
      <Views chosen={view} />
      <Counts runs={listed} only={only} />
      {runs === null && <Waiting />}
      {runs !== null && (shown.length === 0 ? <NoRuns any={runs.some(isWork)} /> : <RunTable runs={shown} />)}
      <Under list={list} shown={shown.length} />
      {query.get('new') !== null && <NewJob onClose={() => setQuery({ new: null })} />}
    </div>
  );
}

function Tools({ words }: { words: string }) {
  return (
    <div className="row wrap tools">
      <search className="find wide-find">
        <Icon name="search" size={14} />
        <input
          id={FILTER_ID}
          aria-label="Filter runs"
          placeholder="webhook agent:codex-main kind:job cost:>1"
          autoComplete="off"
          value={words}
          onChange={(event) => setQuery({ q: event.target.value })}
        />
      </search>
      <button type="button" className="btn hide-s" onClick={() => document.getElementById(FILTER_ID)?.focus()}>
        <Icon name="filter" size={14} />
        Filter<kbd>F</kbd>
      </button>
      <span className="sp" />
      <button type="button" className="btn p" onClick={() => setQuery({ new: '1' })}>
        <Icon name="plus" size={14} />
        New job<kbd>N</kbd>
      </button>
    </div>
  );
}

function Views({ chosen }: { chosen: string }) {
  return (
    <nav className="tabs" aria-label="Views">
      {Object.entries(VIEWS).map(([id, { name }]) => (
        <button
          key={id}
          type="button"
          aria-current={id === chosen ? 'true' : undefined}
          onClick={() => setQuery({ view: id === 'attention' ? null : id, state: null })}
        >
          {name}
        </button>
      ))}
    </nav>
  );
}

function Counts({ runs, only }: { runs: readonly Run[]; only: string | null }) {
  const counts = useMemo(() => {
    const found = new Map<RunClass, number>();
    for (const run of runs) found.set(classOf(run), (found.get(classOf(run)) ?? 0) + 1);
    return found;
  }, [runs]);
  return (
    <div className="facts counts hide-s">
      {CLASSES.map((name) => (
        <button
          key={name}
          type="button"
          className="count"
          aria-pressed={only === name}
          onClick={() => setQuery({ state: only === name ? null : name })}
        >
          <Glyph {...COUNTED[name].glyph} />
          <span className={name === 'you' && (counts.get(name) ?? 0) > 0 ? 'you b' : 't2'}>{COUNTED[name].name}</span>
          <span className="sp" />
          <b className="num">{grouped(counts.get(name) ?? 0)}</b>
        </button>
      ))}
    </div>
  );
}

function Under({ list: { pending, fresh, more, sort, error, again }, shown }: { list: RunList; shown: number }) {
  return (
    <p className="sm t2 under">
      {error && (
        <span className="bad" role="alert">
          Runs could not be read: {error.message}.{' '}
          <button type="button" className="btn s" onClick={again}>
            Try again
          </button>{' '}
        </span>
      )}
      {grouped(shown)} shown{more ? ' of the newest 10,000' : ''}. Rows keep their place while you read
      {pending + fresh > 0 && (
        <>
          ;{' '}
          <button type="button" className="btn s" onClick={sort}>
            {fresh > 0 && <b>{grouped(fresh)} new</b>}
            {fresh > 0 && pending > 0 && ', '}
            {pending > 0 && <b>{grouped(pending)} changed order</b>}
            <kbd>.</kbd>
          </button>
        </>
      )}
      .
    </p>
  );
}

/** As high as what will stand there. */
function Waiting() {
  return (
    <section className="card wait" aria-busy="true" aria-label="Runs are being read">
      {Array.from({ length: 12 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={row} className="skel in" />
      ))}
    </section>
  );
}

function NoRuns({ any }: { any: boolean }) {
  return (
    <div className="card in empty">
      <p className="t2">{any ? 'No run is like that.' : 'Work that agents do comes here. Begin with one job:'}</p>
      {!any && <CommandLine command={'baton run "Fix the failing test"'} />}
    </div>
  );
}

function useSortKey(sort: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      if (event.key === '.') sort();
      if (event.key === 'Escape') goTo('/runs');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
