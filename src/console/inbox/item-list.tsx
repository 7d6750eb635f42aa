import { useEffect, useRef } from 'react';
import type { InboxItem } from '../../client/index.js';
import { goTo } from '../frame/address.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { kindWord, questionOf, runWord } from './item-words.js';
import { OutcomeWords } from './outcome-words.js';
import type { Marks } from './use-marks.js';
import type { Row } from './use-rows.js';

type Props = {
  rows: readonly Row[];
  marks: Marks;
  selected: number | null;
  kinds: readonly string[];
  kind: string;
  setKind(kind: string): void;
};

export function ItemList({ rows, marks, selected, kinds, kind, setKind }: Props) {
  const list = useRef<HTMLDivElement>(null);
  // So that its keys work at once, unless somebody is at something else.
  useEffect(() => {
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.getElementById(`item-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <section className="ilist" aria-label="Waiting for you">
      <div className="head">
        <div className="row">
          <h2>Waiting for you</h2>
          <span className="t3">oldest first</span>
          <span className="sp" />
          {kinds.length > 1 && (
            <select className="btn s" aria-label="Kind" value={kind} onChange={(event) => setKind(event.target.value)}>
              <option value="">All kinds</option>
              {kinds.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        </div>
        <MarkedLine marks={marks} />
      </div>
      <div
        ref={list}
        role="listbox"
        aria-label="Items"
        aria-multiselectable={marks.items.length > 0}
        aria-activedescendant={selected === null ? undefined : `item-${selected}`}
        tabIndex={0}
        className="items"
      >
        {rows.map((row) => (
          <ItemRow
            key={row.item.item}
            row={row}
            selected={row.item.item === selected}
            marked={marks.items.includes(row.item)}
          />
        ))}
      </div>
    </section>
  );
}

function MarkedLine({ marks: { items, problem, clear } }: { marks: Marks }) {
  return (
    <p className="sm marked" role="status">
      {problem !== null && <Words text={`Not marked: ${problem}.`} className="t2" />}
      {problem === null && items.length > 0 && (
        <span className="row">
          <span>
            {items.length} marked{items.length === 1 ? '; M marks another one' : ''}
          </span>
          <span className="sp" />
          <button type="button" className="linklike" onClick={clear}>
            Unmark
          </button>
        </span>
      )}
    </p>
  );
}

type RowProps = { row: Row; selected: boolean; marked: boolean };

function ItemRow({ row: { item, outcome }, selected, marked }: RowProps) {
  return (
    <div
      id={`item-${item.item}`}
      className={`it ${outcome === null ? '' : 'over'} ${marked ? 'mark' : ''}`}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      onClick={() => goTo(`/inbox/${item.item}`)}
      onKeyDown={(event) => event.key === 'Enter' && goTo(`/inbox/${item.item}`)}
    >
      {outcome === null ? <Glyph glyph="diamond" tone="you" /> : <Glyph glyph="tick" tone="rest" />}
      <span className="k">
        {kindWord(item)}
        {marked && <b> · marked</b>}
      </span>
      <span className="a">
        <Ago at={item.created_at} />
      </span>
      {outcome === null ? (
        <span className="q">
          <Words text={questionOf(item)} />
        </span>
      ) : (
        <span className="w">
          <OutcomeWords outcome={outcome} />
        </span>
      )}
      {outcome === null && wantedOf(item) !== null && (
        <span className="w el m">
          <Words text={wantedOf(item) ?? ''} />
        </span>
      )}
      <span className="w el">
        <Words text={runWords(item)} />
      </span>
    </div>
  );
}

/** So that one command is told from another at a glance. */
function wantedOf({ details: { command, host } }: InboxItem): string | null {
  if (typeof command === 'string') return command;
  return typeof host === 'string' ? host : null;
}

function runWords(item: InboxItem): string {
  return item.kind === 'login' ? 'system' : `${runWord(item)} · ${item.run_id}`;
}
