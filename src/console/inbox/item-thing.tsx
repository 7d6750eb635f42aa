import type { ReactNode } from 'react';
import type { Check, InboxItem } from '../../client/index.js';
import { Icon } from '../frame/icon.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { Diff } from '../parts/diff.js';
import { shortHash } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Lines, Words } from '../parts/shown-text.js';
import { CheckList } from '../run/check-list.js';
import { ApprovalFacts, ApprovalThing } from '../session/approval-thing.js';
import { BlockerThing } from './blocker-thing.js';
import { BridgeThing } from './bridge-thing.js';
import { EnvelopeThing } from './envelope-thing.js';
import { ExactCommand } from './exact-command.js';
import { ItemChecks } from './item-checks.js';
import { isOfBridge } from './item-words.js';
import { reachedLimit } from './reached-limit.js';
import { holdingIn, wantedIn } from './session-wanted.js';

/** The very thing an answer is about: the command, the change, the words as they came. */
export function ItemThing({ item }: { item: InboxItem }) {
  const { words, raw_response: raw, protected_changed: files } = item.details;
  if (isOfBridge(item)) return <BridgeThing item={item} />;
  return (
    <>
      <Wanted item={item} />
      {item.kind === 'limit' && <Reached item={item} />}
      {item.kind === 'landing' && <Landing item={item} />}
      {item.kind === 'blocker' && <BlockerThing item={item} />}
      {item.kind === 'login' && <List title="Logins that do not work" texts={item.details.logins} />}
      {typeof raw === 'string' && (
        <Section title={`Raw answer, ${raw.length} characters`}>
          <Lines text={raw} className="exact" />
        </Section>
      )}
      {ENVELOPES.has(item.kind) && <EnvelopeThing item={item} />}
      {typeof words === 'string' && (
        <Section title="What the agent says">
          <Lines text={words} className="quote" />
        </Section>
      )}
      <List title="Protected files that differ" texts={files} />
      {JUDGED.has(item.kind) && <ItemChecks run={item.run_id} />}
      {(item.kind === 'approval' || item.kind === 'protected') && <Changed run={item.run_id} />}
    </>
  );
}

const THINGS = { exec: 'The exact command', patch: 'The exact change', mcp: 'The exact call of a tool' } as const;
const ENVELOPES = new Set(['clarification', 'confirmation']);
const JUDGED = new Set(['intervention', 'approval', 'protected']);

function Wanted({ item }: { item: InboxItem }) {
  const { system } = useLive();
  const wanted = wantedIn(item);
  if (wanted) {
    const holding = holdingIn(item);
    return (
      <Section title={`${THINGS[wanted.kind ?? 'exec']}, bound by its hash`}>
        <ApprovalThing wanted={wanted} cwd={holding.cwd} />
        <ApprovalFacts wanted={wanted} holding={holding} />
      </Section>
    );
  }
  const { command, host, cwd, hash } = item.details;
  const sha256 = typeof hash === 'string' ? shortHash(hash) : undefined;
  const sandbox = system?.sandbox.mode;
  if (typeof host === 'string') {
    return (
      <Section title="The exact host, bound by its hash">
        <Lines text={host} className="exact" />
        <Facts facts={{ sha256, sandbox }} />
        <p className="row sm you net">
          <Icon name="network" size={14} />
          <Words text={`network: ${host}`} />
        </p>
      </Section>
    );
  }
  if (typeof command !== 'string') return null;
  if (item.kind === 'patch_approval') {
    const outside = command.split('\n').toSorted((one, other) => below(one, cwd) - below(other, cwd));
    return (
      <List
        title="The exact files, bound by their hash; outside its folder first"
        texts={outside}
        facts={{ 'its folder': cwd, sha256, sandbox }}
      />
    );
  }
  return (
    <Section title="The exact command, bound by its hash">
      <ExactCommand text={command} />
      <Facts facts={{ in: cwd, sha256, sandbox }} />
    </Section>
  );
}

function below(file: string, folder: unknown): number {
  return file.startsWith(`${String(folder)}/`) ? 1 : 0;
}

function Reached({ item }: { item: InboxItem }) {
  const { name, used, limit, shown, unit } = reachedLimit(item);
  if (unit === '') return null;
  return (
    <Section title="The limit">
      <div className="card in reached">
        <div className="row">
          <b>{name}</b>
          <span className="sp" />
          <span className="num">
            {shown(used)} <span className="t3">of {shown(limit)}</span>
          </span>
        </div>
        <Meter used={used} limit={limit} />
      </div>
    </Section>
  );
}

function Landing({ item }: { item: InboxItem }) {
  const { files, checks, folder, into, job } = item.details;
  return (
    <>
      <List title="Files in conflict" texts={files} />
      {Array.isArray(checks) && (
        <Section title="Checks on the merged tree">
          <div className="card">
            <CheckList run={item.run_id} checks={checks as Check[]} />
          </div>
        </Section>
      )}
      <Facts facts={{ job, in: folder, into: into ?? 'the branch it has checked out' }} />
      {typeof job === 'string' && <Changed run={job} />}
    </>
  );
}

function Changed({ run }: { run: string }) {
  const { value, error } = useLoaded(`diff ${run}`, 0, () => client.jobs.diff(run));
  return (
    <Section title="What it changed">
      <div className="card">
        {value && <Diff patch={value.patch} />}
        {error && (
          <p className="in t2">
            <Words text={error.message} />
          </p>
        )}
        {!value && !error && <div className="in skel" />}
      </div>
    </Section>
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

type ListProps = { title: string; texts: unknown; facts?: Readonly<Record<string, unknown>> };

function List({ title, texts, facts = {} }: ListProps) {
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
      <Facts facts={facts} />
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
