import { useEffect, useRef } from 'react';
import type { BridgeBoard, BridgePhase } from '../../client/index.js';
import { Card } from '../parts/card.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, type Tone } from '../parts/status.js';
import { shownText } from '../parts/visible.js';
import { spaced } from './bridge-words.js';

type Look = { glyph: Parameters<typeof Glyph>[0]['glyph']; tone: Tone };

/** The phases of the contract as steps, as the checkpoint tells them. */
export function PhaseSteps({ board }: { board: BridgeBoard }) {
  const room = useRef<HTMLElement>(null);
  const { phases, crossings } = board;
  const now = phases.findIndex(({ standing }) => standing === 'now');
  useEffect(() => {
    const element = room.current?.querySelectorAll('li')[now];
    if (room.current && element) {
      room.current.scrollLeft = element.offsetLeft - (room.current.clientWidth - element.offsetWidth) / 2;
    }
  }, [now]);
  return (
    <Card title="Phases" beside={<span className="sm t3 hide-s">as the checkpoint says</span>}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
      <section ref={room} className="phase-room" tabIndex={0} aria-label="Phases 1 to 9">
        <ol className="phase-steps">
          {phases.map((row) => (
            <Step
              key={row.phase}
              row={row}
              look={lookOf(row, board)}
              asks={crossings.filter(({ phase }) => phase === row.phase).length}
            />
          ))}
        </ol>
      </section>
    </Card>
  );
}

const STANDING_WORDS = { done: 'done', now: 'now', due: 'to come' } as const;

function Step({ row: { phase, phase_name, standing }, look, asks }: { row: BridgePhase; look: Look; asks: number }) {
  return (
    <li
      className={`is-${standing} ${look.tone === 'you' ? 'is-you' : ''}`}
      aria-current={standing === 'now' ? 'step' : undefined}
    >
      <span className="phase-mark">
        <Glyph glyph={look.glyph} tone={look.tone} size={16} />
      </span>
      <span className="row g4">
        <b className="num-l">{phase}</b>
        <span className="vh">{STANDING_WORDS[standing]}</span>
        {asks > 0 && <span className="sm t3">{asks === 1 ? '1 request' : `${asks} requests`}</span>}
      </span>
      {phase_name !== null && (
        <span className="phase-name sm t2" title={shownText(phase_name)}>
          <Words text={spaced(phase_name)} />
        </span>
      )}
    </li>
  );
}

function lookOf({ standing, phase }: BridgePhase, { holder, status, crossings }: BridgeBoard): Look {
  if (standing === 'due') return { glyph: 'dashes', tone: 'rest' };
  const last = crossings.findLast((crossing) => crossing.phase === phase);
  if (standing === 'done') {
    const isBad = last !== undefined && last.status !== null && last.status !== 'success';
    // A phase without a usable answer went on with its fallback.
    return isBad ? { glyph: 'back', tone: 'rest' } : { glyph: 'tick', tone: 'ok' };
  }
  if (holder === 'you') return { glyph: 'diamond', tone: 'you' };
  if (holder !== null) return { glyph: 'arc', tone: 'run' };
  return status === 'failed' ? { glyph: 'octagon', tone: 'bad' } : { glyph: 'bars', tone: 'rest' };
}
