import type { Run } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { Card } from '../parts/card.js';
import { CommandLine } from '../parts/command-line.js';
import { dollars, span, tokens } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { EventTable } from '../run/event-table.js';
import { RunTitle } from '../run/run-title.js';
import { AttemptLog } from './attempt-log.js';

/** One attempt at one task of a ledger: a run of its own, named after both. */
export function AttemptPage({ run }: { run: Run }) {
  const { tone, glyph, word } = lookOf(run.status, run.waiting_for !== null);
  const of = placeIn(run);
  return (
    <div className="pad stack">
      <RunTitle title={run.title} id={run.run_id}>
        <span>
          {of === null ? (
            'attempt at a task'
          ) : (
            <>
              attempt {of.attempt} at{' '}
              <Link to={of.address} className="l">
                <Words text={of.task} /> of its ledger
              </Link>
            </>
          )}
        </span>
        {run.agent !== null && <Words text={run.agent} />}
        <span>
          begun <Ago at={run.created_at} /> ago
        </span>
      </RunTitle>
      <div className="row state-row wrap">
        <Glyph glyph={glyph} tone={tone} size={18} />
        <p className="say sp">
          <b className={tone}>{word}.</b>{' '}
          <Words text={run.waits_for === null ? '' : `It waits for ${run.waits_for}.`} className="t2" />
        </p>
        {run.waiting_for !== null && (
          <Link to={`/inbox/${run.waiting_for}`} className="btn a">
            Decide
          </Link>
        )}
      </div>
      <Figures run={run} />
      <Card title="Log">
        <AttemptLog run={run.run_id} version={run.version} over={run.ended} />
      </Card>
      <Card title="Events">
        <EventTable run={run.run_id} until={run.version} />
      </Card>
      <CommandLine
        command={of === null ? `baton events --run ${run.run_id}` : `baton operator worklog ${of.ledger} ${of.task}`}
      />
    </div>
  );
}

type Place = { ledger: string; task: string; attempt: string; address: string };

function placeIn({ run_id, parent }: Run): Place | null {
  if (parent === null || !run_id.startsWith(`${parent}.`)) return null;
  const [, task, attempt] = /^(.+)\.(\d+)$/.exec(run_id.slice(parent.length + 1)) ?? [];
  if (task === undefined || attempt === undefined) return null;
  const address = `/operator/${encodeURIComponent(parent)}?${new URLSearchParams({ task })}`;
  return { ledger: parent, task, attempt, address };
}

function Figures({ run: { metrics } }: { run: Run }) {
  const figures = [
    ['Cost', dollars(metrics.cost_usd)],
    ['Tokens', tokens(metrics.tokens)],
    ['Active time', span(metrics.seconds * 1_000)],
    ['Handoffs', String(metrics.handoffs)],
  ] as const;
  return (
    <section className="facts" aria-label="Figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <div className="lab">{name}</div>
          <div className="v">{value}</div>
        </div>
      ))}
    </section>
  );
}
