import { useEffect, useRef, useState } from 'react';
import type { SessionBoard } from '../../client/index.js';
import { isTyping } from '../frame/use-keys.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { span } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { stateLook } from './session-words.js';

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
  const { task } = board;
  const { tone, glyph, word } = stateLook(board);
  return (
    <>
      <span className={`st ${tone}`}>
        <Glyph glyph={glyph} tone={tone} />
        {word}
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
  const sureNow = useRef(isSure);
  sureNow.current = isSure;
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (document.querySelector('dialog[open]') || !(event.target instanceof Element)) return;
      if (isMeant(event.key, event.target, sureNow.current)) void latest.current();
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
        <kbd>{isSure ? '⏎' : 'Esc'}</kbd>
      </button>
    </>
  );
}

/** Escape asks, also from the field where words are written; ⏎ says yes wherever it does nothing else. */
function isMeant(key: string, target: Element, isSure: boolean): boolean {
  if (key === 'Enter') return isSure && !isTyping(target) && !target.closest('button, a, summary, .answer, .gate');
  if (key !== 'Escape' || target.closest('.answer')) return false;
  return !isTyping(target) || target.closest('.composer') !== null;
}
