import { useEffect, useRef, useState } from 'react';
import type { SessionBoard } from '../../client/index.js';
import { isTyping } from '../frame/use-keys.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { span } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { stateWords } from './session-words.js';

type Props = { board: SessionBoard; isFacts: boolean; onFacts(): void; onProblem(words: string): void };

/** What it is, how it stands, under which rules, and how to stop it. */
export function SessionHead({ board, isFacts, onFacts, onProblem }: Props) {
  const { approval_policy: approval, sandbox_policy: sandbox, title } = board;
  return (
    <div className="session-head">
      <h1 className="el">
        <Words text={title} />
      </h1>
      <div className="row wrap">
        <State board={board} />
        <span className="sp" />
        <span className="sm t2 hide-s">
          {approval} · {sandbox.mode} · network {sandbox.network_access ? 'on' : 'off'}
        </span>
        <button type="button" className="btn s only-narrow" aria-pressed={isFacts} onClick={onFacts}>
          Facts<kbd>I</kbd>
        </button>
        {board.task && <Interrupt run={board.run_id} onProblem={onProblem} />}
      </div>
    </div>
  );
}

function State({ board }: { board: SessionBoard }) {
  const { nowMs } = useLive();
  const { task, approvals, status } = board;
  const tone = approvals.length > 0 ? 'you' : task ? 'run' : 'rest';
  const glyph = approvals.length > 0 ? 'diamond' : task ? 'arc' : status === 'closed' ? 'slash' : 'ring';
  return (
    <>
      <span className={`st ${tone}`}>
        <Glyph glyph={glyph} tone={tone} />
        {stateWords(board)}
      </span>
      {task && (
        <span className="sm t2 num-l">
          turn {task.turn}
          {task.started_at !== null && `, ${span(nowMs - Date.parse(task.started_at))} in`}
        </span>
      )}
    </>
  );
}

/** Asks once: by the button and by Escape alike. */
function Interrupt({ run, onProblem }: { run: string; onProblem(words: string): void }) {
  const [isSure, setSure] = useState(false);
  const { who } = useLive();
  const isBarred = who !== null && !who.may.includes('session.input');
  const press = async (): Promise<void> => {
    if (isBarred) return;
    if (!isSure) {
      setSure(true);
      return;
    }
    setSure(false);
    try {
      await client.sessions.submit(run, { id: crypto.randomUUID(), op: { type: 'interrupt' } });
    } catch (failure) {
      onProblem(`It was not interrupted: ${(failure as Error).message}.`);
    }
  };
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || isTyping(event.target) || document.querySelector('dialog[open]')) return;
      if (event.target instanceof Element && event.target.closest('.answer')) return;
      void latest.current();
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, []);
  return (
    <>
      {isSure && (
        <button type="button" className="btn s" onClick={() => setSure(false)}>
          Go on
        </button>
      )}
      <button type="button" className="btn s d" disabled={isBarred} onClick={() => void press()}>
        {isSure ? 'Yes, interrupt' : 'Interrupt…'}
        <kbd>Esc</kbd>
      </button>
    </>
  );
}
