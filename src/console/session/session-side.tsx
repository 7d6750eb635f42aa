import type { SessionBoard } from '../../client/index.js';
import { Fact } from '../parts/card.js';
import { CommandLine } from '../parts/command-line.js';
import { dollars, grouped, tokens } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { planLook, resumeCommand } from './session-words.js';

/** The plan, what is used, and what holds. */
export function SessionSide({ board }: { board: SessionBoard }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys
    <aside className="rail" aria-label="Session facts" tabIndex={0}>
      <Plan board={board} />
      <Meters board={board} />
      <Rules board={board} />
      <h2>Approvals in this session</h2>
      <dl className="f sm">
        <Fact name="Ran by itself">{grouped(board.rules.ran_by_itself)}</Fact>
        <Fact name="Approved">{grouped(board.rules.approved)}</Fact>
        <Fact name="Denied">{grouped(board.rules.denied)}</Fact>
        <Fact name="Remembered">{remembered(board.rules.approved_for_session)}</Fact>
      </dl>
      <h2>In a terminal</h2>
      <CommandLine command={resumeCommand(board)} />
    </aside>
  );
}

function remembered(count: number): string {
  return count === 1 ? '1 exact command' : `${grouped(count)} exact commands`;
}

function Plan({ board: { plan, task } }: { board: SessionBoard }) {
  return (
    <>
      <h2>Plan</h2>
      {plan === null || plan.plan.length === 0 ? (
        <p className="sm t3">The model has made none.</p>
      ) : (
        <ul className="plan">
          {plan.plan.map(({ step, status }) => {
            const { glyph, tone, word } = planLook(status, task !== null);
            return (
              <li key={step} className="row at-top">
                <Glyph glyph={glyph} tone={tone} />
                <span className="vh">{word}:</span>
                <Words text={step} className={status === 'pending' ? 't2' : ''} />
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

function Meters({ board: { context, limits, metrics } }: { board: SessionBoard }) {
  const { cost_usd: cost, tokens: used, seconds } = metrics;
  return (
    <>
      <h2>Context</h2>
      <Used used={context.tokens} limit={context.window} shown={(count) => `${tokens(count)} tokens`} />
      <h2>Budget</h2>
      <Used used={cost} limit={limits.cost_usd} shown={dollars} />
      {limits.tokens !== null && (
        <Used used={used} limit={limits.tokens} shown={(count) => `${tokens(count)} tokens`} />
      )}
      {limits.seconds !== null && (
        <Used used={seconds} limit={limits.seconds} shown={(count) => `${Math.floor(count)} s`} />
      )}
    </>
  );
}

type UsedProps = { used: number; limit: number | null; shown(amount: number): string };

function Used({ used, limit, shown }: UsedProps) {
  return (
    <div className="used">
      <div className="row sm">
        <span className="num-l">{shown(used)}</span>
        <span className="sp" />
        <span className="t3">{limit === null || limit === 0 ? 'no limit' : `of ${shown(limit)}`}</span>
      </div>
      {limit !== null && limit > 0 && <Meter used={used} limit={limit} />}
    </div>
  );
}

function Rules({ board }: { board: SessionBoard }) {
  const { mode, writable_roots: roots, network_access: isOpen } = board.sandbox_policy;
  return (
    <>
      <h2>Rules in force</h2>
      <dl className="f sm">
        <Fact name="Approval">{board.approval_policy}</Fact>
        <Fact name="Sandbox">{mode}</Fact>
        <Fact name="Network">{isOpen ? 'on' : 'off'}</Fact>
        <Fact name="Folder">
          <Words text={board.cwd} className="m breaks" />
        </Fact>
        {roots.length > 0 && (
          <Fact name="Writable too">
            <Words text={roots.join(', ')} className="m breaks" />
          </Fact>
        )}
        <Fact name="Model">
          <Words text={board.model} />
        </Fact>
        <Fact name="Opened">
          <Ago at={board.created_at} /> ago
        </Fact>
      </dl>
    </>
  );
}
