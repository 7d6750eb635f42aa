import type { InboxItem } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { useLive } from '../live/live-context.js';
import { clockTime, dollars, span, tokens } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Words } from '../parts/shown-text.js';
import { StatusMark } from '../parts/status.js';

type Spent = { cost_usd: number; tokens: number; seconds: number };
type Limits = { costMicroUsd?: number; tokens?: number; activeMs?: number };

/** What is known of the run that asks. */
export function ItemRail({ item }: { item: InboxItem }) {
  const { who } = useLive();
  const { phase, agent, attempt, branch, pipeline, stage } = item.details;
  const spent = item.details.spent as Spent | undefined;
  const limits = (item.details.limits ?? {}) as Limits;
  return (
    <aside className="rail" aria-label="The run that asks">
      <h3>Run</h3>
      <dl className="f sm">
        <dt>State</dt>
        <dd>
          <StatusMark status="INTERVENTION_REQUIRED" waits />
        </dd>
        <dt>Run</dt>
        <dd>
          <Link to={`/runs/${encodeURIComponent(item.run_id)}`} className="l">
            <Words text={item.run_id} className="m" />
          </Link>
        </dd>
        <Fact name="Agent" value={agent} />
        <Fact name="Phase" value={phase} />
        <Fact name="Pipeline" value={pipeline} />
        <Fact name="Stage" value={stage} />
        <Fact name="Attempt" value={attempt} />
        <Fact name="Branch" value={branch} />
        <dt>Asked at</dt>
        <dd>{clockTime(item.created_at)}</dd>
      </dl>
      {spent && (
        <>
          <h3>Budget</h3>
          <Budget used={spent.cost_usd} limit={(limits.costMicroUsd ?? 0) / 1e6} shown={dollars} />
          <Budget used={spent.seconds * 1_000} limit={limits.activeMs ?? 0} shown={span} />
          <Budget used={spent.tokens} limit={limits.tokens ?? 0} shown={(count) => `${tokens(count)} tokens`} />
        </>
      )}
      <h3>Who may answer</h3>
      <p className="sm t2">Stewards and admins, but no agent of this run. The first answer counts; everyone sees it.</p>
      {who && (
        <Person
          name={who.name}
          said={item.barred === null && who.may.includes('inbox.answer') ? 'may answer' : 'may not'}
        />
      )}
      {item.made_by !== null && item.made_by !== who?.name && <Person name={item.made_by} said="made it" />}
    </aside>
  );
}

function Person({ name, said }: { name: string; said: string }) {
  return (
    <div className="row sm person">
      <span className="ava s" aria-hidden="true">
        {name.slice(0, 2).toUpperCase()}
      </span>
      <Words text={name} />
      <span className="sp" />
      <span className="t3">{said}</span>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: unknown }) {
  if (value === undefined || value === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Words text={String(value)} />
      </dd>
    </>
  );
}

function Budget({ used, limit, shown }: { used: number; limit: number; shown(value: number): string }) {
  return (
    <div className="budget">
      <div className="row sm">
        <span>{shown(used)}</span>
        <span className="sp" />
        <span className="t3">{limit > 0 ? `of ${shown(limit)}` : 'no limit'}</span>
      </div>
      {limit > 0 && <Meter used={used} limit={limit} />}
    </div>
  );
}
