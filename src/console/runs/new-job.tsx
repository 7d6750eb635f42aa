import { type FormEvent, type ReactNode, useState } from 'react';
import { BatonError } from '../../client/index.js';
import { goTo } from '../frame/address.js';
import { Dialog } from '../frame/dialog.js';
import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { CommandLine } from '../parts/command-line.js';
import { dollars, grouped, span } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { commandOf, EMPTY, type JobForm, orderOf, problemIn } from './job-form.js';
import { useSuchJobs } from './use-such-jobs.js';

/** A panel over the runs. The command that does the same builds itself below while one types. */
export function NewJob({ onClose }: { onClose(): void }) {
  const [form, setForm] = useState<JobForm>(EMPTY);
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const { value: agents } = useLoaded('agents', 0, () => client.agents());
  const set = (change: Partial<JobForm>): void => setForm((before) => ({ ...before, ...change }));
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wrong = problemIn(form);
    setProblem(wrong);
    if (wrong !== null || sending) return;
    setSending(true);
    try {
      const { job_id } = await client.jobs.create(orderOf(form));
      goTo(`/runs/${encodeURIComponent(job_id)}`);
    } catch (failure) {
      setProblem(failure instanceof BatonError ? `${failure.message}. ${failure.hint}` : String(failure));
      setSending(false);
    }
  };
  return (
    <Dialog title="New job" onClose={onClose} wide>
      <form className="in stack form" onSubmit={send}>
        <Fields form={form} ids={(agents?.items ?? []).map(({ id }) => id)} set={set} />
        {problem !== null && (
          <p className="bad" role="alert">
            <Words text={problem} />
          </p>
        )}
        <CommandLine command={commandOf(form)} />
        <div className="row">
          <span className="sp" />
          <button type="submit" className="btn p" disabled={sending}>
            Create and start
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type FieldsProps = { form: JobForm; ids: readonly string[]; set(change: Partial<JobForm>): void };

function Fields({ form, ids, set }: FieldsProps) {
  return (
    <>
      <Field name="What is to be done">
        <textarea rows={4} value={form.prompt} onChange={(event) => set({ prompt: event.target.value })} />
      </Field>
      <Field name="Repository, as an absolute path on the server's machine">
        <input value={form.repo} onChange={(event) => set({ repo: event.target.value })} placeholder="/home/…" />
      </Field>
      <div className="halves">
        <Choice name="Worker" ids={ids} value={form.agent} onChange={(agent) => set({ agent })} none="as configured" />
        <Choice
          name="Reviewer"
          ids={['none', ...ids]}
          value={form.supervisor}
          onChange={(supervisor) => set({ supervisor })}
          none="as configured"
        />
      </div>
      <Field name="Checks that must pass, one command a line">
        <textarea rows={2} value={form.checks} onChange={(event) => set({ checks: event.target.value })} />
      </Field>
      <div className="halves">
        <Field name="At most, in dollars">
          <input
            inputMode="decimal"
            placeholder="5"
            value={form.cost}
            onChange={(event) => set({ cost: event.target.value })}
          />
        </Field>
        <Field name="At most, in minutes">
          <input
            inputMode="decimal"
            placeholder="60"
            value={form.minutes}
            onChange={(event) => set({ minutes: event.target.value })}
          />
        </Field>
      </div>
      <CostBefore form={form} />
      <label className="row">
        <input type="checkbox" checked={form.approve} onChange={(event) => set({ approve: event.target.checked })} />
        Ask me before it counts as done
      </label>
    </>
  );
}

/** So that a limit is chosen and not guessed. */
function CostBefore({ form: { agent, repo, cost } }: { form: JobForm }) {
  const such = useSuchJobs(agent, repo);
  if (!such) return <p className="sm t3">No such job has ended yet, so what it will cost is not known.</p>;
  const { count, medianUsd, mostUsd, medianMs, mostMs } = such;
  const tight = cost !== '' && Number(cost) < medianUsd;
  return (
    <p className="sm t2">
      {count === 1 ? 'One such job' : `${grouped(count)} such jobs`} cost {dollars(medianUsd)} in the middle, nine of
      ten at most {dollars(mostUsd)}; {span(medianMs)} of work, at most {span(mostMs)}.
      {tight && <b className="limit"> Half of them would be halted by this limit.</b>}
    </p>
  );
}

function Field({ name, children }: { name: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
    <label className="field">
      <span className="lab">{name}</span>
      {children}
    </label>
  );
}

type ChoiceProps = { name: string; ids: readonly string[]; value: string; none: string; onChange(value: string): void };

function Choice({ name, ids, value, none, onChange }: ChoiceProps) {
  return (
    <Field name={name}>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{none}</option>
        {ids.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </Field>
  );
}
