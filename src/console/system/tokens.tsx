import { type FormEvent, useState } from 'react';
import { BatonError, type Token } from '../../client/index.js';
import { setQuery, useAddress } from '../frame/address.js';
import { Dialog } from '../frame/dialog.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { Card } from '../parts/card.js';
import { CommandLine } from '../parts/command-line.js';
import { CopyButton } from '../parts/copy-button.js';
import { Words } from '../parts/shown-text.js';
import { Ago } from '../parts/time.js';

const ROLES = ['viewer', 'worker', 'orchestrator', 'supervisor', 'steward', 'admin'] as const;

/** Who may come in, and with what role. */
export function Tokens() {
  const { query } = useAddress();
  const { changes } = useLive();
  const { value, again } = useLoaded('tokens', changes.get('system') ?? 0, () => client.tokens());
  const [leaving, setLeaving] = useState<string | null>(null);
  const tokens = value?.items ?? [];
  return (
    <Card
      title="Tokens"
      beside={
        <button type="button" className="btn s" onClick={() => setQuery({ token: '1' })}>
          Make a token…
        </button>
      }
    >
      {value && tokens.length === 0 && <p className="in t2">None but that of this home, which may do everything.</p>}
      {tokens.length > 0 && <TokenTable tokens={tokens} onRevoke={setLeaving} />}
      {leaving !== null && <Revoke name={leaving} onClose={() => setLeaving(null)} onDone={again} />}
      {query.get('token') !== null && <Make onClose={() => setQuery({ token: null })} onDone={again} />}
    </Card>
  );
}

function TokenTable({ tokens, onRevoke }: { tokens: readonly Token[]; onRevoke(name: string): void }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col" className="hide-s">
            Acts for
          </th>
          <th scope="col" className="r">
            Made
          </th>
          <th scope="col">
            <span className="vh">Act</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map(({ name, role, agent, created_at }) => (
          <tr key={name}>
            <td>
              <Words text={name} className="b" />
            </td>
            <td className="t2">{role}</td>
            <td className="t2 hide-s">
              <Words text={agent ?? ''} />
            </td>
            <td className="num t3">
              <Ago at={created_at} />
            </td>
            <td className="r">
              <button type="button" className="btn s d" onClick={() => onRevoke(name)} aria-label={`Revoke ${name}…`}>
                Revoke…
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Over = { onClose(): void; onDone(): void };

function Revoke({ name, onClose, onDone }: Over & { name: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const revoke = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      await client.revokeToken(name);
      onDone();
      onClose();
    } catch (failure) {
      setProblem(wordsOf(failure));
    }
  };
  return (
    <Dialog title={`Revoke ${name}`} onClose={onClose}>
      <form className="in stack-s" onSubmit={revoke}>
        <p>Whoever uses it, and every browser that logged in with it, is out at once. It cannot be undone.</p>
        <Problem text={problem} />
        <CommandLine command={`baton token revoke ${name}`} />
        <div className="row">
          <span className="sp" />
          <button type="submit" className="btn d">
            Yes, revoke {name}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Make({ onClose, onDone }: Over) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<(typeof ROLES)[number]>('viewer');
  const [made, setMade] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      setMade((await client.createToken({ name, role })).token);
      setProblem(null);
      onDone();
    } catch (failure) {
      setProblem(wordsOf(failure));
    }
  };
  return (
    <Dialog title="Make a token" onClose={onClose}>
      {made === null ? (
        <form className="in stack form" onSubmit={make}>
          <label className="field">
            <span className="lab">Name</span>
            <input value={name} onChange={(event) => setName(event.target.value)} required autoComplete="off" />
          </label>
          <label className="field">
            <span className="lab">Role</span>
            <select value={role} onChange={(event) => setRole(event.target.value as typeof role)}>
              {ROLES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <Problem text={problem} />
          <CommandLine command={`baton token create --name ${name || 'NAME'} --role ${role}`} />
          <div className="row">
            <span className="sp" />
            <button type="submit" className="btn p">
              Make the token
            </button>
          </div>
        </form>
      ) : (
        <div className="in stack-s">
          <p>It is told this once. Whoever has it may do what a {role} may.</p>
          <div className="exact" id="made-token">
            {made}
          </div>
          <div className="row">
            <CopyButton text={made} what="token" />
          </div>
        </div>
      )}
    </Dialog>
  );
}

function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="bad" role="alert">
      <Words text={text} />
    </p>
  );
}

function wordsOf(failure: unknown): string {
  return failure instanceof BatonError ? `${failure.message}. ${failure.hint}` : String(failure);
}
