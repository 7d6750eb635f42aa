import { useEffect, useRef, useState } from 'react';
import type { JobView } from '../../../client/index.js';
import { goTo } from '../../frame/address.js';
import { Dialog } from '../../frame/dialog.js';
import { client } from '../../live/client.js';
import { CommandLine } from '../../parts/command-line.js';
import { Words } from '../../parts/shown-text.js';
import { ActFields } from './act-fields.js';
import { type Act, commandOf, type Values } from './acts.js';

type Props = {
  job: string;
  acts: readonly Act[];
  chosen: Act['name'] | null;
  onClose(): void;
  onDone(said: string): void;
};

/** Everything that can be done with a job: what it does, what stands against it, and the same as a command. */
export function ActDialog({ job, acts, chosen, onClose, onDone }: Props) {
  const [open, setOpen] = useState<Act['name'] | null>(chosen);
  return (
    <Dialog title="What can be done" onClose={onClose}>
      <ul className="acts">
        {acts.map((act) => (
          <li key={act.name} className={open === act.name ? 'on' : ''}>
            <button
              type="button"
              className="act"
              aria-expanded={open === act.name}
              disabled={act.why !== undefined}
              onClick={() => setOpen(open === act.name ? null : act.name)}
            >
              <span className={`b ${act.ends ? 'bad' : ''}`}>
                {act.label}
                {act.fields.length > 0 || act.ends ? '…' : ''}
              </span>
              <span className="t2 sm">{act.why ?? act.does}</span>
            </button>
            {open === act.name && act.why === undefined && <ActForm job={job} act={act} onDone={onDone} />}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function ActForm({ job, act, onDone }: { job: string; act: Act; onDone(said: string): void }) {
  const [values, setValues] = useState<Values>(() => firstOf(act));
  const { sure, sending, problem, send } = useSending(job, act, values, onDone);
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it grows when it asks once more
  useEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), [sure]);
  return (
    <form
      ref={form}
      className="form stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <ActFields fields={act.fields} values={values} onChange={setValues} />
      <div aria-live="polite">
        {problem !== null && (
          <p className="bad sm">
            <Words text={problem} />
          </p>
        )}
        {sure && (
          <p className="sm">
            <b>{act.label}?</b> This cannot be undone.
          </p>
        )}
      </div>
      <div className="row wrap">
        <button type="submit" className={`btn ${act.ends ? 'd' : 'p'}`} disabled={sending}>
          {sure ? `Yes, ${act.label.toLowerCase()}` : act.label}
          {act.ends && !sure ? '…' : ''}
        </button>
        <CommandLine command={commandOf(job, act, values)} />
      </div>
    </form>
  );
}

function useSending(job: string, act: Act, values: Values, onDone: (said: string) => void) {
  const [sure, setSure] = useState(false);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (): Promise<void> => {
    const lacks = act.fields.find(({ name, needed }) => needed && (values[name] ?? '').trim() === '');
    if (lacks) return setProblem(`Say it first: ${lacks.label.toLowerCase()}.`);
    if (act.ends && !sure) return setSure(true);
    setSending(true);
    setProblem(null);
    try {
      onDone(await carryOut(job, act, values));
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : String(failure));
      setSending(false);
    }
  };
  return { sure, sending, problem, send };
}

/** Says what came of it. A fork leads to its own page. */
async function carryOut(job: string, act: Act, values: Values): Promise<string> {
  const { name } = act;
  const body = act.body(values);
  if (name === 'fork') {
    const forked = await client.jobs.fork(job, body);
    goTo(`/runs/${encodeURIComponent(forked.job_id)}`);
    return `Forked as ${forked.job_id}.`;
  }
  if (name === 'land') {
    await client.jobs.land(job, body);
    return 'Landing has begun.';
  }
  const { status } = await client.jobs.act(job, name, body);
  return `${act.label}: done. The job is ${status as JobView['status']}.`;
}

function firstOf({ fields }: Act): Values {
  return Object.fromEntries(fields.map(({ name, options }) => [name, options?.[0]?.value ?? '']));
}
