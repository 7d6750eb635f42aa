import { useEffect } from 'react';
import type { Run } from '../../client/index.js';
import { goTo, setQuery, useAddress } from '../frame/address.js';
import { Icon } from '../frame/icon.js';
import { isTyping } from '../frame/use-keys.js';
import { CommandLine } from '../parts/command-line.js';
import { grouped } from '../parts/figures.js';
import { Glyph } from '../parts/status.js';
import { CLASSES, classOf, type RunClass } from './attention.js';
import { NewJob } from './new-job.js';
import { RunTable } from './run-table.js';
import { useRuns } from './use-runs.js';

const VIEWS: Readonly<Record<string, { name: string; shows(run: Run): boolean }>> = {
  attention: { name: 'Attention', shows: ({ kind }) => kind !== 'system' && kind !== 'agent' },
  live: { name: 'Live', shows: (run) => ['you', 'moving', 'queued'].includes(classOf(run)) && run.kind !== 'system' },
  jobs: { name: 'Jobs', shows: ({ kind }) => kind === 'job' },
  halted: { name: 'Halted', shows: (run) => classOf(run) === 'halted' },
  all: { name: 'All', shows: () => true },
};

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
  const { runs, pending, more, sort } = useRuns();
  const view = VIEWS[query.get('view') ?? 'attention'] ?? VIEWS.attention;
  const words = (query.get('q') ?? '').toLowerCase();
  const only = query.get('state');
  useSortKey(sort);
  const listed = (runs ?? []).filter((run) => view?.shows(run) && matches(run, words));
  const shown = listed.filter((run) => only === null || classOf(run) === only);
  return (
    <div className="pad">
      <h1 className="vh">Runs</h1>
      <div className="row wrap tools">
        <div className="find wide-find">
          <Icon name="search" size={14} />
          <input
            aria-label="Filter runs"
            placeholder="Filter by words, agent:name, kind:job"
            value={query.get('q') ?? ''}
            onChange={(event) => setQuery({ q: event.target.value })}
          />
        </div>
        <span className="sp" />
        <button type="button" className="btn p" onClick={() => setQuery({ new: '1' })}>
          <Icon name="plus" size={14} />
          New job<kbd>N</kbd>
        </button>
      </div>
      <Views chosen={query.get('view') ?? 'attention'} />
      <Counts runs={listed} only={only} />
      {runs !== null && shown.length === 0 ? <NoRuns any={runs.length > 0} /> : <RunTable runs={shown} />}
      <p className="sm t2 under" aria-live="polite">
        {grouped(shown.length)} shown{more ? ' of the newest 10,000' : ''}. Rows keep their place while you read
        {pending > 0 && (
          <>
            ; <b>{grouped(pending)} changed order or are new</b>, press{' '}
            <button type="button" className="btn s" onClick={sort}>
              <kbd>.</kbd> to sort again
            </button>
          </>
        )}
        .
      </p>
      {query.get('new') !== null && <NewJob onClose={() => setQuery({ new: null })} />}
    </div>
  );
}

function Views({ chosen }: { chosen: string }) {
  return (
    <nav className="tabs" aria-label="Views">
      {Object.entries(VIEWS).map(([key, { name }]) => (
        <button
          key={key}
          type="button"
          aria-current={chosen === key ? 'true' : undefined}
          onClick={() => setQuery({ view: key, state: null })}
        >
          {name}
        </button>
      ))}
    </nav>
  );
}

function Counts({ runs, only }: { runs: readonly Run[]; only: string | null }) {
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
          <span className="t2">{COUNTED[name].name}</span>
          <span className="sp" />
          <b>{grouped(runs.filter((run) => classOf(run) === name).length)}</b>
        </button>
      ))}
    </div>
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

/** Words as they are; `agent:`, `kind:` and `status:` name a column. */
function matches(run: Run, words: string): boolean {
  return words.split(/\s+/).every((word) => {
    const [, field, value] = /^(agent|kind|status|project):(.*)$/.exec(word) ?? [];
    if (field === undefined) return `${run.title ?? ''} ${run.run_id}`.toLowerCase().includes(word);
    return String(run[field as 'agent' | 'kind' | 'status' | 'project'] ?? '')
      .toLowerCase()
      .includes(value ?? '');
  });
}

function useSortKey(sort: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === '.' && !isTyping(event.target)) sort();
      if (event.key === 'Escape' && !isTyping(event.target) && !document.querySelector('dialog[open]')) goTo('/runs');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
