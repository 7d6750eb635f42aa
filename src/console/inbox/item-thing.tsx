import type { ReactNode } from 'react';
import type { InboxItem } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { Diff } from '../parts/diff.js';
import { shortHash } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { ItemChecks } from './item-checks.js';

/** The very thing an answer is about: the command, the change, the words as they came. */
export function ItemThing({ item }: { item: InboxItem }) {
  const { command, host, cwd, hash, words, raw_response: raw, protected_changed: files, folder, into } = item.details;
  const conflicts = item.kind === 'landing' ? item.details.files : undefined;
  const logins = item.details.logins;
  const isPatch = item.kind === 'patch_approval';
  return (
    <>
      {typeof command === 'string' && (
        <Section title={isPatch ? 'The exact change, bound by its hash' : 'The exact command, bound by its hash'}>
          <Lines text={command} className="exact" />
          <Facts facts={{ in: cwd, sha256: typeof hash === 'string' ? shortHash(hash) : undefined }} />
        </Section>
      )}
      {typeof host === 'string' && (
        <Section title="The exact host">
          <Lines text={host} className="exact" />
          <Facts facts={{ sha256: typeof hash === 'string' ? shortHash(hash) : undefined }} />
        </Section>
      )}
      {typeof raw === 'string' && (
        <Section title={`Its answer as it came, ${raw.length} characters`}>
          <Lines text={raw} className="exact" />
        </Section>
      )}
      {typeof words === 'string' && (
        <Section title="What the agent says">
          <Lines text={words} className="quote" />
        </Section>
      )}
      <List title="Protected files that differ" texts={files} />
      <List title="Files in conflict" texts={conflicts} />
      <List title="Logins that do not work" texts={logins} />
      {item.kind === 'landing' && <Facts facts={{ in: folder, into }} />}
      {(item.kind === 'approval' || item.kind === 'protected') && <Proof run={item.run_id} />}
    </>
  );
}

function Proof({ run }: { run: string }) {
  const { value, error } = useLoaded(`diff ${run}`, 0, () => client.jobs.diff(run));
  return (
    <>
      <ItemChecks run={run} />
      <Section title="What it changed">
        <div className="card">
          {value && <Diff patch={value.patch} />}
          {error && <p className="in bad">{error.message}</p>}
          {!value && !error && <div className="in skel" />}
        </div>
      </Section>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="sec" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function List({ title, texts }: { title: string; texts: unknown }) {
  if (!Array.isArray(texts) || texts.length === 0) return null;
  return (
    <Section title={title}>
      <ul className="exact">
        {texts.map((text) => (
          <li key={String(text)}>
            <Words text={String(text)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Facts({ facts }: { facts: Readonly<Record<string, unknown>> }) {
  return (
    <div className="row wrap sm t2 facts-line">
      {Object.entries(facts).map(
        ([name, value]) =>
          typeof value === 'string' && (
            <span key={name}>
              {name} <Words text={value} className="m" />
            </span>
          ),
      )}
    </div>
  );
}
