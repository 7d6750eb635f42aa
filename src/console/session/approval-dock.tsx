import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { InboxItem, SessionApproval, SessionBoard } from '../../client/index.js';
import { focusIfLost } from '../frame/use-keys.js';
import { AnswerBar } from '../inbox/answer-bar.js';
import { answersTo } from '../inbox/answers.js';
import { useLive } from '../live/live-context.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { ApprovalFacts, ApprovalThing } from './approval-thing.js';
import { questionFor } from './session-words.js';

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

/** Answers are given by single keys once it has the focus; it takes it only when nothing else has it, and gives it back. */
function Gate({ approval, board, children }: GateProps) {
  const gate = useRef<HTMLElement>(null);
  const { mode, network_access: isOpen } = board.sandbox_policy;
  useLayoutEffect(() => {
    const { current } = gate;
    return () => {
      focusIfLost(document.getElementById('main'), current);
    };
  }, []);
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
        {approval.reason !== null && (
          <p className="sm t2 asked-for">
            Asked because: <Words text={approval.reason} />
          </p>
        )}
        <ApprovalThing wanted={approval} cwd={board.cwd} />
        <ApprovalFacts wanted={approval} holding={{ cwd: board.cwd, mode, isOpen }} />
      </div>
      {children}
    </section>
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
