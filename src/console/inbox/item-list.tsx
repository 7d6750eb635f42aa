import { goTo } from '../frame/address.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import type { Row } from './inbox-page.js';
import { kindWord, questionOf } from './item-words.js';

export function ItemList({ rows, selected }: { rows: readonly Row[]; selected: number | null }) {
  return (
    <section className="ilist" aria-label="Waiting for you">
      <div className="head row">
        <h2>Waiting for you</h2>
        <span className="t3">oldest first</span>
      </div>
      <div role="listbox" aria-label="Items" tabIndex={0} className="items">
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
