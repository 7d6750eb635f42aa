import { useEffect, useMemo, useState } from 'react';
import type { LedgerBoard, Run } from '../../client/index.js';
import { setQuery, useAddress } from '../frame/address.js';
import { Icon } from '../frame/icon.js';
import { isTyping } from '../frame/use-keys.js';
import { Card } from '../parts/card.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { NotYet } from '../run/not-yet.js';
import { RunTitle } from '../run/run-title.js';
import { SaidLine } from '../run/said-line.js';
import { type BoardTask, tasksOf } from './board-task.js';
import { Gantt, useAllLines } from './gantt.js';
import { LedgerFacts } from './ledger-facts.js';
import { LedgerSentence } from './ledger-sentence.js';
import { LedgerSide } from './ledger-side.js';
import { LedgerTable } from './ledger-table.js';
import { useLedger } from './use-ledger.js';

const OBJECTIVE_MAX = 160;

/** One run of the operator. */
export function LedgerPage({ run }: { run: Run }) {
  const { board, version, beats, error, again } = useLedger(run.run_id);
  const [said, setSaid] = useState('');
  const tasks = useMemo(() => (board ? tasksOf(board) : []), [board]);
  const wanted = useAddress().query.get('task');
  const chosen = tasks.find(({ task_id }) => task_id === wanted);
  const [allLines, switchLines] = useAllLines();
  useLineKey(switchLines);
  if (!board) return <NotYet run={run} what="ledger" error={error} again={again} />;
  return (
    <div className="pad stack">
      <Title board={board} tasks={tasks} />
      <LedgerSentence board={board} tasks={tasks} onDone={setSaid} />
      <SaidLine said={said} error={error} />
      <LedgerFacts board={board} tasks={tasks} />
      <div className="two">
        <div className="stack">
          <Card title="Tasks over time" beside={<Legend allLines={allLines} onLines={switchLines} />}>
            {tasks.length === 0 ? (
              <p className="in t2">There are no tasks yet.</p>
            ) : (
              <Gantt {...{ board, tasks, beats, allLines }} chosen={chosen?.task_id ?? null} onChoose={choose} />
            )}
          </Card>
          <Card title="Ledger" beside={<Reconciled board={board} />}>
            <LedgerTable tasks={tasks} chosen={chosen?.task_id ?? null} onChoose={choose} />
          </Card>
        </div>
        <LedgerSide {...{ board, version, tasks, chosen }} />
      </div>
    </div>
  );
}

function choose(task: string): void {
  setQuery({ task });
}

function useLineKey(switchLines: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'l' && !document.querySelector('dialog[open]')) switchLines();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

function Title({ board, tasks }: { board: LedgerBoard; tasks: readonly BoardTask[] }) {
  const { objective, ledger, branch, opened_at } = board;
  const agents = new Set(tasks.flatMap(({ attempts }) => attempts.map(({ owner }) => owner))).size;
  const shown = objective.length > OBJECTIVE_MAX ? `${objective.slice(0, OBJECTIVE_MAX)}…` : objective;
  return (
    <RunTitle title={shown} id={ledger.run_id}>
      <span>operator</span>
      {agents > 0 && <span>{agents === 1 ? '1 agent' : `${agents} agents`}</span>}
      <span>ledger version {ledger.version}</span>
      {branch !== null && (
        <span className="row g4">
          <Icon name="branch" size={14} />
          <Words text={branch} className="m" />
        </span>
      )}
      <span>
        opened <Ago at={opened_at} /> ago
      </span>
    </RunTitle>
  );
}

function Legend({ allLines, onLines }: { allLines: boolean; onLines(): void }) {
  return (
    <span className="row g12 sm">
      <span className="row g4 t3 hide-s">
        <svg width="18" height="10" aria-hidden="true">
          <rect width="18" height="10" rx="2" fill="var(--run)" />
          <path d="M6 2v6M12 2v6" stroke="var(--run-bg)" />
        </svg>
        heartbeats
      </span>
      <span className="row g4 t3 hide-s">
        <svg width="18" height="10" aria-hidden="true">
          <path d="M0 10 10 0M5 10 15 0M10 10l8-8" stroke="var(--control)" />
        </svg>
        until time-out
      </span>
      <button type="button" className="btn s" aria-pressed={allLines} onClick={onLines}>
        All dependencies<kbd>L</kbd>
      </button>
    </span>
  );
}

function Reconciled({ board: { issues } }: { board: LedgerBoard }) {
  const [first] = issues;
  if (!first) {
    return (
      <span className="chip ok">
        <Glyph glyph="tick" tone="ok" size={12} />
        reconciled, no issues
      </span>
    );
  }
  const words = issues.length === 1 ? '1 issue' : `${issues.length} issues`;
  return (
    <span className="chip bad" title={first.reason}>
      <Glyph glyph="octagon" tone="bad" size={12} />
      <Words text={`${words}: ${first.reason}`} className="el" />
    </span>
  );
}
