import { useEffect, useState } from 'react';
import type { BridgeBoard, Run } from '../../client/index.js';
import { setQuery, useAddress } from '../frame/address.js';
import { isTyping } from '../frame/use-keys.js';
import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { Words } from '../parts/shown-text.js';
import { Ago } from '../parts/time.js';
import { NotYet } from '../run/not-yet.js';
import { PastBanner } from '../run/time/past-banner.js';
import { Scrubber } from '../run/time/scrubber.js';
import { useAt } from '../run/time/use-at.js';
import { BridgeFacts } from './bridge-facts.js';
import { firstCrossing } from './bridge-rows.js';
import { BridgeSentence } from './bridge-sentence.js';
import { BridgeSide } from './bridge-side.js';
import { agentWords } from './bridge-words.js';
import { CrossingCard } from './crossing-card.js';
import { CrossingsCard } from './crossings-card.js';
import { PhaseSteps } from './phase-steps.js';

/** One orchestrator and whoever answers it, now or behind one of its events. */
export function BridgePage({ run, version }: { run: Run; version: number }) {
  const at = useAt();
  // Moments that are over have numbers of their own, so that they are never taken for a version.
  const which = at === null ? version : -at;
  const {
    value: board,
    error,
    again,
  } = useLoaded(`bridge ${run.run_id}`, which, () => client.bridges.board(run.run_id, at ?? undefined));
  const [said, setSaid] = useState('');
  const wanted = useAddress().query.get('handoff');
  const crossings = board?.crossings ?? [];
  const chosen = crossings.find(({ handoff }) => handoff === wanted) ?? (board ? firstCrossing(board) : undefined);
  useCrossingKeys(
    crossings.map(({ handoff }) => handoff),
    chosen?.handoff,
  );
  if (!board) return <NotYet run={run} what="bridge" error={error} again={again} />;
  const isLive = at === null || at >= board.events;
  return (
    <div className="pad stack">
      <Title run={run} board={board} />
      {!isLive && <PastBanner view={board} />}
      <BridgeSentence board={board} isLive={isLive} onDone={setSaid} />
      <p className={said === '' && !error ? 'vh' : 'sm t2'} role="status">
        <Words text={error ? `What is shown may be old: ${error.message}.` : said} />
      </p>
      <BridgeFacts board={board} />
      <Scrubber view={board} at={isLive ? null : at} waits={isLive && board.holder === 'you'} />
      <PhaseSteps board={board} />
      <div className="two">
        <div className="stack">
          <CrossingsCard board={board} isLive={isLive} chosen={chosen?.handoff ?? null} />
          {chosen && <CrossingCard key={chosen.handoff} run={board.run_id} crossing={chosen} />}
        </div>
        <BridgeSide board={board} />
      </div>
    </div>
  );
}

function Title({ run, board: { title, dir, command, profile, agents } }: { run: Run; board: BridgeBoard }) {
  return (
    <header>
      <div className="row wrap title">
        <h1>
          <Words text={title} />
        </h1>
        <Words text={run.run_id} className="m t3" />
      </div>
      <div className="row wrap sm t2 origin">
        <span>{command === null ? 'bridge, its orchestrator is started by others' : 'bridge'}</span>
        <span>
          in <Words text={dir} className="m" />
        </span>
        {profile !== null && (
          <span>
            profile <Words text={profile} />
          </span>
        )}
        {agentWords(agents).map(({ name, agent }) => (
          <span key={name}>
            <Words text={agent} /> for <Words text={name} />
          </span>
        ))}
        <span>
          begun <Ago at={run.created_at} /> ago
        </span>
      </div>
    </header>
  );
}

/** J and K go from crossing to crossing. */
function useCrossingKeys(handoffs: readonly string[], chosen: string | undefined): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { j: 1, k: -1 }[event.key];
      if (step === undefined || document.querySelector('dialog[open]')) return;
      const next = handoffs[handoffs.indexOf(chosen ?? '') + step];
      if (next !== undefined) setQuery({ handoff: next });
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
