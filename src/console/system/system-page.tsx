import type { ReactNode } from 'react';
import type { Agent, System } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { CommandLine } from '../parts/command-line.js';
import { bytes, clockTime, grouped } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';

/** What is not healthy stands first. */
export function SystemPage() {
  const { who, position } = useLive();
  const { value: system } = useLoaded('system', position, () => client.system());
  const { value: agents } = useLoaded('agents', 0, () => client.agents());
  if (!system) return <div className="pad" aria-busy="true" />;
  return (
    <div className="pad stack">
      <h1>System</h1>
      <Health system={system} />
      <Card title="Server and store">
        <dl className="f in">
          <Fact name="Version">{who?.version}</Fact>
          <Fact name="Store">
            SQLite, {bytes(system.store.bytes)}, {grouped(system.position)} events
          </Fact>
          <Fact name="Sandbox">{system.sandbox.mode}</Fact>
          <Fact name="Setup runs with">{system.sandbox.setup}</Fact>
          <Fact name="Four eyes">{system.four_eyes ? 'who made a job may not answer for it' : 'off'}</Fact>
        </dl>
      </Card>
      <Card title="Agents">
        <Agents agents={agents?.items ?? []} />
      </Card>
      <CommandLine command="baton doctor" />
    </div>
  );
}

function Health({ system }: { system: System }) {
  const problems = [
    ...(system.sandbox.holds ? [] : [`No sandbox holds: ${system.sandbox.why ?? 'it is switched off'}`]),
    ...system.logins.map(({ login, state, until }) => `${login} is ${state} until ${clockTime(until)}`),
  ];
  if (problems.length === 0) {
    return (
      <p className="say row">
        <Glyph glyph="tick" tone="ok" size={18} />
        <b>Nothing is wrong.</b>
      </p>
    );
  }
  return (
    <ul className="stack">
      {problems.map((problem) => (
        <li key={problem} className="say row">
          <Glyph glyph="octagon" tone="bad" size={18} />
          <Words text={problem} />
        </li>
      ))}
    </ul>
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

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {children}
    </section>
  );
}
