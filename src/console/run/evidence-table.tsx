import { useState } from 'react';
import type { JobView, RelayRow } from '../../client/index.js';
import { bytes, shortHash } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { useRelay } from './use-relay.js';

const ATTEMPTS = 50;

/** Files that agents named, with the hash they had when the answer came; and those that were not there. */
export function EvidenceTable({ view }: { view: JobView }) {
  const [shown, setShown] = useState(ATTEMPTS);
  const first = Math.max(0, view.attempts - shown);
  const rows = [...useRelay(view, first, view.attempts).values()].toReversed().flatMap(filesOf);
  return (
    <>
      {rows.length === 0 ? (
        <p className="in t2">No agent has named a file as evidence{first > 0 ? ' lately' : ' yet'}.</p>
      ) : (
        <FileTable rows={rows} />
      )}
      {first > 0 && (
        <div className="in">
          <button type="button" className="btn s" onClick={() => setShown(shown + ATTEMPTS)}>
            Show those of {Math.min(ATTEMPTS, first)} older attempts
          </button>
        </div>
      )}
    </>
  );
}

type FileRow = { key: number; path: string; bytes: number | null; sha256: string | null };

export function filesOf({ sequence: key, evidence, missing }: RelayRow): FileRow[] {
  const gone = missing.map((path) => ({ key, path, bytes: null, sha256: null }));
  return [...evidence.map(({ path, bytes: size, sha256 }) => ({ key, path, bytes: size, sha256 })), ...gone];
}

export function FileTable({ rows }: { rows: readonly FileRow[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">Handoff</th>
          <th scope="col" className="r hide-s">
            Size
          </th>
          <th scope="col" className="hide-s">
            sha256
          </th>
          <th scope="col">Found</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.key} ${row.path}`}>
            <td>
              <Words text={row.path} className="m" />
            </td>
            <td className="m t3">{row.key + 1}</td>
            <td className="num hide-s">{row.bytes === null ? '—' : bytes(row.bytes)}</td>
            <td className="m t3 hide-s">{row.sha256 === null ? '—' : shortHash(row.sha256)}</td>
            <td>
              <span className={`st ${row.sha256 === null ? 'bad' : ''}`}>
                <Glyph glyph={row.sha256 === null ? 'octagon' : 'tick'} tone={row.sha256 === null ? 'bad' : 'ok'} />
                {row.sha256 === null ? 'named by the agent, not found' : 'hashed when the answer came'}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
