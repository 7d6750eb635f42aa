import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { InboxItem, SessionApproval, SessionBoard } from '../../client/index.js';
import { AnswerBar } from '../inbox/answer-bar.js';
import { answersTo } from '../inbox/answers.js';
import { ExactCommand } from '../inbox/exact-command.js';
import { useLive } from '../live/live-context.js';
import { Diff } from '../parts/diff.js';
import { shortHash } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { commandText, patchOf, questionFor } from './session-words.js';

type Props = { board: SessionBoard; onAnswered(outcome: string): void };

/** What waits for a person, never scrolled away; one after the other, the oldest first. */
export function ApprovalDock({ board, onAnswered }: Props) {
  const [at, setAt] = useState(0);
  const { items } = useLive();
  const { approvals } = board;
  const index = Math.min(at, approvals.length - 1);
  const approval = approvals[index];
  if (!approval) return null;
  const item = items?.find((one) => one.item === approval.item);
  return (
    <div className="dock">
      <Gate key={approval.call_id} approval={approval} board={board}>
        {approvals.length > 1 && (
          <button type="button" className="btn s" onClick={() => setAt((index + 1) % approvals.length)}>
            {index + 1} of {approvals.length}, next
          </button>
        )}
        {item && <Answers item={item} onAnswered={onAnswered} />}
      </Gate>
    </div>
  );
}

type GateProps = { approval: SessionApproval; board: SessionBoard; children: ReactNode };

/** Answers are given by single keys once it has the focus; it takes it only when nothing else has it. */
function Gate({ approval, board, children }: GateProps) {
  const gate = useRef<HTMLElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.id === 'main') gate.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className="gate" ref={gate} tabIndex={-1} aria-label="Approval needed">
      <header>
        <Glyph glyph="diamond" tone="you" size={16} />
        <h2>{questionFor(approval)}</h2>
        <span className="sp" />
        <span className="sm t2 nw">
          asked <Ago at={approval.asked_at} /> ago, also in the inbox
        </span>
      </header>
      <div className="gate-in">
        <Thing approval={approval} cwd={board.cwd} />
        <Facts approval={approval} board={board} />
      </div>
      {children}
    </section>
  );
}

function Thing({ approval: { command, changes }, cwd }: { approval: SessionApproval; cwd: string }) {
  if (changes) {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys
      <section className="gate-diff" tabIndex={0} aria-label="The exact change">
        <Diff patch={patchOf(changes, cwd)} />
      </section>
    );
  }
  return <ExactCommand text={commandText(command ?? [])} />;
}

function Facts({ approval, board }: { approval: SessionApproval; board: SessionBoard }) {
  const { cwd, hash, where, reason } = approval;
  const { mode, network_access: isOpen } = board.sandbox_policy;
  return (
    <div className="row wrap sm t2 facts-line">
      <span>
        in <Words text={cwd ?? board.cwd} className="m" />
      </span>
      <span>
        sha256 <span className="m">{shortHash(hash)}</span>
      </span>
      <span className={where === 'outside' ? 'you' : ''}>
        {where === 'outside' ? 'outside of the sandbox' : `sandbox ${mode}`}
      </span>
      {isOpen && <span className="you">network open</span>}
      {reason !== null && <Words text={reason} />}
    </div>
  );
}

function Answers({ item, onAnswered }: { item: InboxItem; onAnswered(outcome: string): void }) {
  const { system } = useLive();
  const answers = answersTo(item, { holds: system?.sandbox.holds ?? false });
  const barred = answers.filter((answer) => answer.barred !== undefined);
  return (
    <>
      <AnswerBar key={item.item} item={item} answers={answers} onFocus={() => {}} onAnswered={onAnswered} />
      {barred.map(({ name, barred: why }) => (
        <p key={name} className="sm t3 not-offered">
          {name} is not offered: {why}
        </p>
      ))}
    </>
  );
}
