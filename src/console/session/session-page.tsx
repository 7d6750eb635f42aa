import { useEffect, useState } from 'react';
import type { Run, SessionTurn } from '../../client/index.js';
import { isTyping } from '../frame/use-keys.js';
import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { Words } from '../parts/shown-text.js';
import { NotYet } from '../run/not-yet.js';
import { ApprovalDock } from './approval-dock.js';
import { Composer } from './composer.js';
import { SessionHead } from './session-head.js';
import { SessionSide } from './session-side.js';
import { StoppedLine } from './stopped-line.js';
import { Thread } from './thread.js';
import { useLiveText } from './use-live-text.js';

/** One conversation with a model that has hands. */
export function SessionPage({ run, version }: { run: Run; version: number }) {
  const {
    value: board,
    error,
    again,
  } = useLoaded(`session ${run.run_id}`, version, () => client.sessions.get(run.run_id));
  const live = useLiveText(run.run_id, board?.version ?? 0);
  const [fork, setFork] = useState<SessionTurn | null>(null);
  const [said, setSaid] = useState({ words: '', task: '' });
  const [isFacts, setFacts] = useState(false);
  useFactsKey(() => setFacts((before) => !before));
  if (!board) return <NotYet run={run} what="session" error={error} again={again} />;
  // What was said about one task is not said about the next.
  const task = board.tasks.at(-1)?.id ?? '';
  const say = (words: string): void => setSaid({ words, task });
  const told = error ? `What is shown may be old: ${error.message}.` : said.task === task ? said.words : '';
  return (
    <div className={isFacts ? 'chat facts-shown' : 'chat'}>
      <div className={board.approvals.length > 0 ? 'mid asks' : 'mid'}>
        <SessionHead board={board} isFacts={isFacts} onFacts={() => setFacts(!isFacts)} onProblem={say} />
        <Thread board={board} live={live} onFork={setFork} />
        <div className="foot-room">
          <p className={told === '' ? 'vh' : 'sm t2 told'} role="status">
            <Words text={told} />
          </p>
          <StoppedLine board={board} />
          <ApprovalDock board={board} onAnswered={say} />
          <Composer board={board} fork={fork} onFork={setFork} />
        </div>
      </div>
      <SessionSide board={board} />
    </div>
  );
}

/** Where there is no room for the side column, I shows it in place of the conversation. */
function useFactsKey(toggle: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'i' && !document.querySelector('dialog[open]')) toggle();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
