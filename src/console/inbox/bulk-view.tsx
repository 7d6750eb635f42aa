import { useEffect, useState } from 'react';
import type { InboxItem } from '../../client/index.js';
import { isTyping } from '../frame/use-keys.js';
import { client } from '../live/client.js';
import { CommandLine } from '../parts/command-line.js';
import { clockTime, shortHash } from '../parts/figures.js';
import { quoted } from '../parts/quoted.js';
import { Words } from '../parts/shown-text.js';
import { ExactCommand } from './exact-command.js';
import { kindWord, whyOf } from './item-words.js';

type Props = { items: readonly InboxItem[]; onDrop(): void; onAnswered(item: number, said: string): void };

/** Several at once: every exact command stands here before the one answer to all of them. */
export function BulkView({ items, onDrop, onAnswered }: Props) {
  const [first] = items;
  if (!first) return null;
  return (
    <article className="ask on" aria-label={`${items.length} marked items`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
      <section className="body" tabIndex={0} aria-label="What is asked">
        <div className="row sm">
          <span className="st you">{kindWord(first)}</span>
          <span className="t3">{items.length} marked</span>
        </div>
        <h2 className="question">
          May <Words text={String(first.details.agent ?? 'it')} /> do these {items.length}?
        </h2>
        <p className="t2">
          <Words text={whyOf(first)} />
        </p>
        <section className="sec" aria-label="The exact commands">
          <h3>The exact commands, each bound by its hash</h3>
          <ol className="stack bulk">
            {items.map((item) => (
              <li key={item.item}>
                <ExactCommand text={String(item.details.command)} />
                <p className="sm t2 facts-line">
                  item {item.item} · <Words text={item.run_id} className="m" /> · in{' '}
                  <Words text={String(item.details.cwd ?? '')} className="m" /> · sha256{' '}
                  <span className="m">{shortHash(String(item.details.hash ?? ''))}</span>
                </p>
              </li>
            ))}
          </ol>
        </section>
      </section>
      <BulkBar items={items} onDrop={onDrop} onAnswered={onAnswered} />
    </article>
  );
}

type Decision = 'approve' | 'deny';
const DOES: Readonly<Record<Decision, string>> = {
  approve: 'each runs once, exactly as it stands above.',
  deny: 'the agent is told no to each, with your note.',
};
const NAMES: Readonly<Record<Decision, string>> = { approve: 'Approve', deny: 'Deny' };

function BulkBar({ items, onDrop, onAnswered }: Props) {
  const [note, setNote] = useState('');
  const [near, setNear] = useState<Decision>('approve');
  const { sending, problem, send } = useBulk(items, note, onAnswered);
  useBulkKeys(send);
  const words = note === '' || near === 'approve' ? '' : ` --guidance ${quoted(note)}`;
  const command = `baton answer ${items.map(({ item }) => item).join(' ')} --${near}${words}`;
  return (
    <div className="answer">
      <p className="sm say-what" aria-live="polite">
        <b>
          {NAMES[near]} {items.length}:{' '}
        </b>
        <span className="t2">{DOES[near]}</span>
        {problem !== null && <Words text={` ${problem}`} className="bad" />}
      </p>
      <div className="row wrap">
        {(['approve', 'deny'] as const).map((decision) => (
          <button
            key={decision}
            type="button"
            className={`btn ${decision === 'approve' ? 'a' : ''}`}
            disabled={sending}
            onFocus={() => setNear(decision)}
            onClick={() => void send(decision)}
          >
            {NAMES[decision]} {items.length}
            <kbd>{decision.charAt(0).toUpperCase()}</kbd>
          </button>
        ))}
        <button type="button" className="btn" disabled={sending} onClick={onDrop}>
          Unmark all<kbd>Esc</kbd>
        </button>
        <input
          className="in-note"
          aria-label="Note"
          placeholder="Note (optional)"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      <div className="row foot">
        <CommandLine command={command} />
      </div>
    </div>
  );
}

function useBulkKeys(send: (decision: Decision) => Promise<void>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.target instanceof Element) || !event.target.closest('.answer, .ilist')) return;
      if (event.key === 'a') void send('approve');
      if (event.key === 'd') void send('deny');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

function useBulk(items: readonly InboxItem[], note: string, onAnswered: Props['onAnswered']) {
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (decision: Decision): Promise<void> => {
    if (sending) return;
    setSending(true);
    const failed: string[] = [];
    for (const { item } of items) {
      const body = { decision, ...(decision === 'deny' && note !== '' && { guidance: note }) };
      const past = decision === 'approve' ? 'Approved' : 'Denied';
      await client.answer(item, body).then(
        () => onAnswered(item, `${past} by you, ${clockTime(Date.now()).slice(0, 5)}`),
        (failure) => failed.push(`item ${item}: ${failure instanceof Error ? failure.message : failure}`),
      );
    }
    setProblem(failed.length > 0 ? failed.join('; ') : null);
    setSending(false);
  };
  return { sending, problem, send };
}
