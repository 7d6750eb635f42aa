import { useState } from 'react';
import type { BridgeBoard, Run } from '../../client/index.js';
import { useAddress } from '../frame/address.js';
import { client } from '../live/client.js';
import { Words } from '../parts/shown-text.js';
import { Ago } from '../parts/time.js';
import { NotYet } from '../run/not-yet.js';
import { RunTitle } from '../run/run-title.js';
import { SaidLine } from '../run/said-line.js';
import { PastBanner } from '../run/time/past-banner.js';
import { Scrubber } from '../run/time/scrubber.js';
import { useMoment } from '../run/time/use-moment.js';
import { useNamedKeys } from '../run/use-named-keys.js';
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
  const {
    value: board,
    error,
    again,
    at,
  } = useMoment(`bridge ${run.run_id}`, version, (event) => client.bridges.board(run.run_id, event));
  const [said, setSaid] = useState('');
  const wanted = useAddress().query.get('handoff');
  const crossings = board?.crossings ?? [];
  const chosen = crossings.find(({ handoff }) => handoff === wanted) ?? (board ? firstCrossing(board) : undefined);
  useNamedKeys(
    'handoff',
    crossings.map(({ handoff }) => handoff),
    chosen?.handoff,
  );
  if (!board) return <NotYet run={run} what="bridge" error={error} again={again} />;
  const isLive = at === null;
  return (
    <div className="pad stack">
      <Title run={run} board={board} />
      {!isLive && <PastBanner view={board} />}
      <BridgeSentence board={board} isLive={isLive} onDone={setSaid} />
      <SaidLine said={said} error={error} />
      <BridgeFacts board={board} />
      <Scrubber view={board} at={at} waits={isLive && board.holder === 'you'} />
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
    <RunTitle title={title} id={run.run_id}>
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
    </RunTitle>
  );
}
