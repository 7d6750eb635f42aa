import { useEffect, useRef } from 'react';
import { goTo } from '../frame/address.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import type { Row } from './inbox-page.js';
import { kindWord, questionOf } from './item-words.js';

export function ItemList({ rows, selected }: { rows: readonly Row[]; selected: number | null }) {
  const list = useRef<HTMLDivElement>(null);
  // So that its keys work at once, unless somebody is at something else.
  useEffect(() => {
    if (document.activeElement === document.body) list.current?.focus();
  }, []);
  return (
    <section className="ilist" aria-label="Waiting for you">
      <div className="head row">
        <h2>Waiting for you</h2>
        <span className="t3">oldest first</span>
      </div>
      <div
        ref={list}
        role="listbox"
        aria-label="Items"
        aria-activedescendant={selected === null ? undefined : `item-${selected}`}
        tabIndex={0}
        className="items"
      >
        {rows.map(({ item, outcome }) => (
          <div
            key={item.item}
            id={`item-${item.item}`}
            className={`it ${outcome === null ? '' : 'over'}`}
            role="option"
            tabIndex={-1}
            aria-selected={item.item === selected}
            onClick={() => goTo(`/inbox/${item.item}`)}
            onKeyDown={(event) => event.key === 'Enter' && goTo(`/inbox/${item.item}`)}
          >
            {outcome === null ? <Glyph glyph="diamond" tone="you" /> : <Glyph glyph="tick" tone="rest" />}
            <span className="k">{kindWord(item)}</span>
            <span className="a">
              <Ago at={item.created_at} />
            </span>
            {outcome === null ? (
              <span className="q">
                <Words text={questionOf(item)} />
              </span>
            ) : (
              <span className="w">{outcome}</span>
            )}
            <span className="w el">
              <Words text={item.run_id} />
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}
