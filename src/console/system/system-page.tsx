import type { Agent, System } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { Card, Fact } from '../parts/card.js';
import { CommandLine } from '../parts/command-line.js';
import { bytes, grouped } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { problemsOf } from './problems.js';
import { Tokens } from './tokens.js';

/** What is not healthy stands first. */
export function SystemPage() {
  const { system, who } = useLive();
  const { value: agents } = useLoaded('agents', 0, () => client.agents());
  if (!system) return <div className="pad" aria-busy="true" />;
  return (
    <div className="pad stack">
      <h1 className="vh">System</h1>
      <Health system={system} agents={agents?.items.length ?? 0} />
      <div className="two">
        <div className="stack">
          <Workers workers={system.workers} />
          <Card title="Agents">
            <Agents agents={agents?.items ?? []} />
          </Card>
          {who?.role === 'admin' && <Tokens />}
        </div>
        <div className="stack">
          <Store system={system} />
          <Sandbox system={system} />
          <Notifiers notifiers={system.notifiers} />
        </div>
      </div>
      <CommandLine command="baton doctor" />
    </div>
  );
}

function Health({ system, agents }: { system: System; agents: number }) {
  const problems = problemsOf(system, agents);
  if (problems.length === 0) {
    return (
      <p className="say row">
        <Glyph glyph="tick" tone="ok" size={18} />
        <b>Nothing is wrong.</b>
      </p>
    );
  }
  return (
    <ul className="stack-s">
      {problems.map((problem) => (
        <li key={problem} className="say row at-top">
          <Glyph glyph="octagon" tone="bad" size={18} />
          <Words text={problem} />
        </li>
      ))}
    </ul>
  );
}

const LEASES_SHOWN = 8;

function Workers({ workers }: { workers: System['workers'] }) {
  return (
    <Card title="Workers" beside={<span className="t3 sm">who drives which run, with its epoch</span>}>
      {workers.length === 0 && <p className="in t2">None is alive. Start one with baton serve.</p>}
      {workers.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Worker</th>
              <th scope="col" className="hide-s">
                Host
              </th>
              <th scope="col">State</th>
              <th scope="col">Leases</th>
            </tr>
          </thead>
          <tbody>
            {workers.map(({ worker, host, alive, leases }) => (
              <tr key={worker}>
                <td>
                  <Words text={worker} className="m" />
                </td>
                <td className="t2 hide-s">
                  <Words text={host ?? 'not known'} />
                </td>
                <td>
                  <span className={`st ${alive ? 'ok' : 'bad'}`}>
                    <Glyph glyph={alive ? 'tick' : 'bolt'} tone={alive ? 'ok' : 'bad'} />
                    {alive ? 'Alive' : 'Silent'}
                  </span>
                </td>
                <td>
                  <Leases leases={leases} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function Leases({ leases }: { leases: System['workers'][number]['leases'] }) {
  if (leases.length === 0) return <span className="t3">none</span>;
  const more = leases.length - LEASES_SHOWN;
  return (
    <span className="row wrap g4">
      {leases.slice(0, LEASES_SHOWN).map(({ run, epoch }) => (
        <Link key={run} to={`/runs/${encodeURIComponent(run)}`} className="chip o">
          <Words text={run} className="m" />
          <span className="t3">epoch {epoch}</span>
        </Link>
      ))}
      {more > 0 && <span className="t3 sm">and {grouped(more)} more</span>}
    </span>
  );
}

function Store({ system: { store, position, today, versions, chain } }: { system: System }) {
  const { growth } = store;
  return (
    <Card title="Store and server">
      <dl className="f in">
        <Fact name="Store">
          SQLite, {bytes(store.bytes)}, {grouped(position)} events
        </Fact>
        <Fact name="Growth">
          about {bytes(growth.bytes)} in {growth.days} days, {grouped(growth.events)} events
        </Fact>
        <Fact name="Today">{grouped(today.events)} events</Fact>
        <Fact name="Chain">
          {chain.last === null ? 'not checked yet' : chain.last.ok ? 'intact' : 'broken, see Audit'}
        </Fact>
        <Fact name="Baton">{versions.baton}</Fact>
        <Fact name="Node">{versions.node}</Fact>
        <Fact name="Machine">{versions.os}</Fact>
      </dl>
    </Card>
  );
}

function Sandbox({ system: { sandbox, four_eyes } }: { system: System }) {
  return (
    <Card title="What agents may">
      <dl className="f in">
        <Fact name="Sandbox">{sandbox.holds ? sandbox.mode : 'none'}</Fact>
        <Fact name="Setup runs with">{sandbox.setup}</Fact>
        <Fact name="Four eyes">{four_eyes ? 'who made a job may not answer for it' : 'off'}</Fact>
      </dl>
    </Card>
  );
}

function Notifiers({ notifiers }: { notifiers: System['notifiers'] }) {
  return (
    <Card title="Who is told when something waits">
      {notifiers.length === 0 ? (
        <div className="in empty">
          <p className="t2">Nobody. Let yourself be told where you are:</p>
          <CommandLine command="baton notify add me --desktop" />
        </div>
      ) : (
        <ul className="plain">
          {notifiers.map(({ name, kind }) => (
            <li key={name}>
              <Words text={name} className="b el" />
              <span className="t2">{kind}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Agents({ agents }: { agents: readonly Agent[] }) {
  if (agents.length === 0) return <p className="in t2">None is registered, and none was found on this machine.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Adapter</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.id}>
            <td>
              <Words text={agent.id} className="b" />
            </td>
            <td>
              <Words text={agent.adapter} />
            </td>
            <td className="t2">
              <Words text={agent.login === undefined ? agent.status : `${agent.status}, login ${agent.login}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
