import { useLayoutEffect, useRef, useState } from 'react';
import type { BridgeBoard } from '../../client/index.js';
import { setQuery } from '../frame/address.js';
import { useLive } from '../live/live-context.js';
import { Card } from '../parts/card.js';
import { clockTime, grouped, tokens } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { type BridgeRow, lengthOf, type Part, partsOf, rowsOf, rowWords, verdictOf } from './bridge-rows.js';
import { roundCount, spaced } from './bridge-words.js';
import { CrossingLanes } from './crossing-lanes.js';

const SHOWN_MAX = 200;

type Props = { board: BridgeBoard; isLive: boolean; chosen: string | null };
type Scale = { from: number; until: number };

/** One row for each start of the orchestrator, with what it asked; the baton's way stands beside them. */
export function CrossingsCard({ board, isLive, chosen }: Props) {
  const { nowMs } = useLive();
  const [isWhole, setWhole] = useState(false);
  const all = rowsOf(board);
  const rows = isWhole ? all : all.slice(-SHOWN_MAX);
  const box = useAtEnd(rows.length);
  const untilMs = isLive && board.holder !== null ? nowMs : Date.parse(board.at);
  const from = Math.min(...rows.map((row) => firstOf(row, untilMs)), untilMs - 1);
  return (
    <Card title="Crossings" beside={<span className="sm t3">{countWords(board)}</span>}>
      {rows.length === 0 ? (
        <p className="in t2">The orchestrator has not been started yet.</p>
      ) : (
        <div className="relay crossings">
          <Head scale={{ from, until: untilMs }} />
          {all.length > rows.length && (
            <div className="in">
              <button type="button" className="btn s" onClick={() => setWhole(true)}>
                Show {grouped(all.length - rows.length)} older
              </button>
            </div>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
          <section ref={box} className="hops" tabIndex={0} aria-label="Rounds and requests">
            <div className="hops-shown">
              <CrossingLanes rows={rows} />
              {rows.map((row) => (
                <Row
                  key={row.key}
                  row={row}
                  scale={{ from, until: untilMs }}
                  isChosen={row.crossing !== null && row.crossing.handoff === chosen}
                />
              ))}
            </div>
          </section>
        </div>
      )}
    </Card>
  );
}

function countWords({ crossings, rounds }: BridgeBoard): string {
  const asked = crossings.length === 1 ? '1 request' : `${grouped(crossings.length)} requests`;
  return rounds.length === 0 ? asked : `${asked} in ${roundCount(rounds.length)}`;
}

function firstOf(row: BridgeRow, nowMs: number): number {
  const { own, asked } = partsOf(row, nowMs);
  return own?.from ?? asked?.from ?? nowMs;
}

function Head({ scale }: { scale: Scale }) {
  return (
    <div className="hd">
      <span className="lane-names">
        <span>Orchestrator</span>
        <span>Agent</span>
      </span>
      <span>Request</span>
      <span>Verdict</span>
      <span className="row">
        <span>{clockTime(scale.from)}</span>
        <span className="sp" />
        <span>{clockTime(scale.until)}</span>
      </span>
      <span className="r">Sure</span>
      <span className="r">Tokens</span>
    </div>
  );
}

type RowProps = { row: BridgeRow; scale: Scale; isChosen: boolean };

function Row({ row, scale, isChosen }: RowProps) {
  const { crossing } = row;
  const cells = <Cells row={row} scale={scale} />;
  if (!crossing) return <div className="hop still">{cells}</div>;
  return (
    <button
      type="button"
      className="hop"
      aria-pressed={isChosen}
      onClick={() => setQuery({ handoff: crossing.handoff })}
    >
      {cells}
    </button>
  );
}

function Cells({ row, scale }: { row: BridgeRow; scale: Scale }) {
  const { round, crossing, isRepeated } = row;
  const { word, tone } = verdictOf(row);
  const isBad = tone === 'bad' && crossing !== null;
  return (
    <>
      <span />
      <span className="hop-what">
        <span className="el">
          <span className="b">
            <Words text={crossing ? spaced(crossing.phase_name) : round?.resume ? 'resumed' : 'started'} />
          </span>{' '}
          <span className="t3">
            {[crossing && `phase ${crossing.phase}`, round && `round ${round.round}`].filter(Boolean).join(', ')}
          </span>
        </span>
        <span className={`sm el ${isBad ? 'bad' : 't2'}`}>
          <Words text={rowWords(row)} />
        </span>
      </span>
      <span>
        <span className={`chip ${tone}`}>{word}</span>
      </span>
      <Bars row={row} scale={scale} />
      <span className="r num t2">{isRepeated || !crossing ? '' : (crossing.confidence?.toFixed(2) ?? '')}</span>
      <span className="r t2 num">
        {isRepeated || !crossing || crossing.tokens === null ? '' : tokens(crossing.tokens)}
      </span>
    </>
  );
}

/** The orchestrator's time darker, the agent's lighter; amber while a person is asked. */
function Bars({ row, scale }: { row: BridgeRow; scale: Scale }) {
  const { own, asked } = partsOf(row, scale.until);
  const long = [own, asked].flatMap((part) => (part ? [lengthOf(part)] : []));
  return (
    <span className="track">
      {own && <Bar part={own} scale={scale} tone="var(--d4)" />}
      {asked && <Bar part={asked} scale={scale} tone={row.open === 'you' ? 'var(--you)' : 'var(--d2)'} />}
      <span className="t3 sm">{long.join(' + ')}</span>
    </span>
  );
}

function Bar({ part, scale, tone }: { part: Part; scale: Scale; tone: string }) {
  const share = (ms: number) => Math.max(0, Math.min(100, ((ms - scale.from) / (scale.until - scale.from)) * 100));
  const width = Math.max(1.5, share(part.until) - share(part.from));
  return <i style={{ left: `${Math.min(98, share(part.from))}%`, width: `${width}%`, background: tone }} />;
}

/** It begins at its end, and stays there while rows are added. */
function useAtEnd(rows: number) {
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: their number says when, not what
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [rows]);
  return box;
}
