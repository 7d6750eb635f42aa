import { useState } from 'react';
import type { InboxItem, JobView } from '../../client/index.js';
import { setQuery, useAddress } from '../frame/address.js';
import { answersTo } from '../inbox/answers.js';
import { questionOf, whyOf } from '../inbox/item-words.js';
import { useLive } from '../live/live-context.js';
import { span } from '../parts/figures.js';
import { PlayerIcon } from '../parts/player-icon.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf } from '../parts/status.js';
import { ActDialog } from './acts/act-dialog.js';
import { type Act, actsOf } from './acts/acts.js';
import { AnswerDialog } from './acts/answer-dialog.js';

type Props = { view: JobView; item: InboxItem | undefined; onDone(said: string): void };

/** One sentence before every figure: what state, why, what comes next; and what can be done about it. */
export function StateSentence({ view, item, onDone }: Props) {
  const { who, nowMs } = useLive();
  const acts = actsOf({ view, may: who?.may ?? [] });
  const [answering, setAnswering] = useState<string | null>(null);
  const { open, choose, close } = useChosenAct(acts);
  const { tone, glyph, word } = lookOf(view.status);
  return (
    <>
      {item ? (
        <div className="callout">
          <Glyph glyph="diamond" tone="you" size={22} />
          <div className="say sp">
            <b>
              Waiting for you: <Words text={item.kind === 'approval' ? 'approve the result.' : questionOf(item)} />
            </b>{' '}
            <span className="t2">
              {proofOf(view)}
              <Words text={item.kind === 'approval' ? reviewOf(view) : whyOf(item)} />
            </span>
          </div>
          {answersTo(item)
            .slice(0, 2)
            .map(({ key, name, tone: of }) => (
              <button
                key={key}
                type="button"
                className={`btn ${of === 'first' ? 'a' : ''}`}
                onClick={() => setAnswering(key)}
              >
                {name}…
              </button>
            ))}
          <Acts acts={acts} direct={[]} choose={choose} />
        </div>
      ) : (
        <div className="row state-row wrap">
          <Glyph glyph={glyph} tone={tone} size={18} />
          <p className="say sp">
            <b className={tone}>{word}.</b> <span className="t2">{moreOf(view, nowMs)}</span>
          </p>
          <Acts acts={acts} direct={DIRECT} choose={choose} />
        </div>
      )}
      {item && answering !== null && (
        <AnswerDialog item={item} first={answering} onClose={() => setAnswering(null)} onDone={onDone} />
      )}
      {open && (
        <ActDialog
          {...{ job: view.job_id, acts, chosen: open.chosen }}
          onClose={close}
          onDone={(said) => {
            close();
            onDone(said);
          }}
        />
      )}
    </>
  );
}

/** Those that stand beside the sentence when they are possible; the others are behind the dots. */
const DIRECT: readonly Act['name'][] = ['activate', 'land', 'tell', 'raise', 'cancel'];

type Chosen = { chosen: Act['name'] | null };

/** Kept beside the sentence, not in it: what is being typed outlives that the job comes to wait for somebody. */
function useChosenAct(acts: readonly Act[]) {
  const wanted = useAddress().query.get('do');
  const first = acts.find(({ name }) => name === wanted);
  const [chosen, choose] = useState<Chosen | null>(null);
  const open = chosen ?? (first ? { chosen: first.name } : null);
  const close = (): void => {
    choose(null);
    if (wanted !== null) setQuery({ do: null });
  };
  return { open, choose, close };
}

type ActsProps = { acts: readonly Act[]; direct: readonly Act['name'][]; choose(chosen: Chosen): void };

function Acts({ acts, direct, choose }: ActsProps) {
  const near = acts.filter(({ name, why }) => why === undefined && direct.includes(name)).slice(0, 3);
  if (acts.length === 0) return null;
  return (
    <>
      {near.map(({ name, label, ends }, index) => (
        <button
          key={name}
          type="button"
          className={`btn ${index === 0 && !ends ? 'p' : ''} ${ends ? 'd' : ''}`}
          onClick={() => choose({ chosen: name })}
        >
          {label}…
        </button>
      ))}
      <button type="button" className="btn" aria-label="More actions" onClick={() => choose({ chosen: null })}>
        <PlayerIcon name="more" size={16} />
      </button>
    </>
  );
}

/** The same of a moment that is over: what was, and nothing to do about it. */
export function SentenceThen({ view }: { view: JobView }) {
  const { tone, glyph, word } = lookOf(view.status, view.waits_since !== null);
  return (
    <div className="row state-row">
      <Glyph glyph={glyph} tone={tone} size={18} />
      <p className="say sp">
        <b className={tone}>{word}.</b>{' '}
        <span className="t2">
          {view.reason === null ? moreOf(view, null) : <Words text={`${sentence(view.reason)}`} />}
        </span>
      </p>
    </div>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function moreOf(view: JobView, nowMs: number | null): string {
  switch (view.status) {
    case 'DRAFT':
      return 'It waits until somebody activates it.';
    case 'PENDING':
      return view.stage === 'pausing'
        ? 'It waits, and is asked again by itself.'
        : 'It waits for a worker that is free.';
    case 'RUNNING':
    case 'REVIEWING':
      return `${agentOf(view)} works on ${view.current_phase ?? 'it'}${sinceOf(view, nowMs)}.`;
    case 'SUCCESS':
      return proofOf(view) + landingWords(view);
    case 'CANCELED':
      return 'Its branch and its log are kept.';
    default:
      return `${sentence(view.reason ?? 'a limit was reached')} Raise it to go on.`;
  }
}

function sinceOf({ asked_at }: JobView, nowMs: number | null): string {
  return asked_at === null || nowMs === null ? '' : ` since ${span(nowMs - Date.parse(asked_at))}`;
}

function proofOf({ checks }: JobView): string {
  const passed = checks.filter(({ exitCode }) => exitCode === 0).length;
  return checks.length > 0 ? `${passed} of ${checks.length} checks passed. ` : '';
}

function reviewOf({ order }: JobView): string {
  const reviewed = order.phases.some(({ role }) => role === 'Supervisor');
  return reviewed ? 'The reviewer accepted it.' : 'Nobody reviewed it.';
}

function landingWords({ order, landing }: JobView): string {
  if (order.repository === null) return 'It has no repository, so there is nothing to land.';
  if (landing?.status === 'landed') return 'It is landed.';
  if (landing?.status === 'landing') return 'It is being landed.';
  return landing?.status === 'conflict' ? 'It could not be landed: it conflicts.' : 'It can be landed.';
}

function agentOf({ order, current_phase }: JobView): string {
  return order.phases.find(({ name }) => name === current_phase)?.agent ?? 'Somebody';
}
