import { useMemo, useState } from 'react';
import type { EnvelopeBoard, Run } from '../../client/index.js';
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
import { firstLook, stagesOf } from './board-stage.js';
import { CriticCard } from './critic-card.js';
import { EnvelopeFacts } from './envelope-facts.js';
import { ErrorCard, HistoryCard } from './envelope-history.js';
import { EnvelopeSentence } from './envelope-sentence.js';
import { EnvelopeSide } from './envelope-side.js';
import { GoalCard } from './goal-card.js';
import { PipelineCard } from './pipeline-card.js';
import { StageOutput } from './stage-output.js';

const TITLE_MAX = 160;

/** One envelope on its way through its pipeline, now or behind one of its events. */
export function EnvelopePage({ run, version }: { run: Run; version: number }) {
  const {
    value: board,
    error,
    again,
    at,
  } = useMoment(`envelope ${run.run_id}`, version, (event) => client.envelopes.board(run.run_id, event));
  const [said, setSaid] = useState('');
  const wanted = useAddress().query.get('stage');
  const stages = useMemo(() => (board ? stagesOf(board) : []), [board]);
  const chosen = stages.find(({ name }) => name === (wanted ?? (board && firstLook(stages, board))));
  useNamedKeys(
    'stage',
    stages.map(({ name }) => name),
    chosen?.name,
  );
  if (!board) return <NotYet run={run} what="envelope" error={error} again={again} />;
  const isLive = at === null;
  return (
    <div className="pad stack">
      <Title run={run} board={board} />
      {!isLive && <PastBanner view={board} />}
      <EnvelopeSentence board={board} isLive={isLive} onDone={setSaid} />
      <SaidLine said={said} error={error} />
      <EnvelopeFacts board={board} />
      <Scrubber view={board} at={at} waits={isLive && board.question !== null} />
      <PipelineCard board={board} stages={stages} chosen={chosen?.name ?? null} />
      <div className="two">
        <div className="stack">
          <GoalCard envelope={board.envelope} />
          {chosen && <StageOutput key={chosen.name} board={board} stage={chosen} />}
          <CriticCard board={board} stages={stages} />
          <ErrorCard envelope={board.envelope} />
          <HistoryCard board={board} />
        </div>
        <EnvelopeSide board={board} isLive={isLive} />
      </div>
    </div>
  );
}

function Title({ run, board: { envelope, pipeline, agent, repository } }: { run: Run; board: EnvelopeBoard }) {
  const [first = ''] = envelope.raw_input.trim().split('\n');
  const title = first === '' ? run.run_id : first.length > TITLE_MAX ? `${first.slice(0, TITLE_MAX)}…` : first;
  return (
    <RunTitle title={title} id={run.run_id}>
      <span>envelope</span>
      <span>
        pipeline <Words text={pipeline.name} />
      </span>
      {agent !== null && (
        <span>
          agent <Words text={agent} />
        </span>
      )}
      <span>
        user <Words text={envelope.user_id} />
      </span>
      <span>
        session <Words text={envelope.session_id} className="m" />
      </span>
      {repository !== null && (
        <span>
          in <Words text={repository} className="m" />
        </span>
      )}
      <span>
        received <Ago at={run.created_at} /> ago
      </span>
    </RunTitle>
  );
}
