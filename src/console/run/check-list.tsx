import { useState } from 'react';
import type { Check } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { span } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';

/** What Baton ran itself, how it ended, and what it printed when it is opened. */
export function CheckList({ run, checks }: { run: string; checks: readonly Check[] }) {
  return (
    <ul className="checks">
      {checks.map((check, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same command may stand there twice, in its place
        <CheckRow key={index} run={run} check={check} />
      ))}
    </ul>
  );
}

function CheckRow({ run, check: { argv, exitCode, ms, output } }: { run: string; check: Check }) {
  const passed = exitCode === 0;
  const [open, setOpen] = useState(!passed);
  return (
    <li>
      <button type="button" className="check" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Glyph glyph={passed ? 'tick' : 'octagon'} tone={passed ? 'ok' : 'bad'} />
        <span className="el">
          <Words text={argv.join(' ')} className="m" />
          <span className="t3 sm">{passed ? ' passed' : ` failed, exit ${exitCode ?? 'by a signal'}`}</span>
        </span>
        <span className="num t3">{ms < 1_000 ? `${ms} ms` : span(ms)}</span>
      </button>
      {open && <Output run={run} sha256={output.sha256} empty={output.bytes === 0} />}
    </li>
  );
}

function Output({ run, sha256, empty }: { run: string; sha256: string; empty: boolean }) {
  const { value, error } = useLoaded(`body ${sha256}`, 0, async () =>
    empty ? { text: 'It printed nothing.' } : client.body(run, sha256),
  );
  return <Lines text={value?.text ?? error?.message ?? ''} className="exact" />;
}
