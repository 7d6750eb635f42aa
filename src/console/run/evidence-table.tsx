import { bytes, shortHash } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import type { JobView } from './fold-job.js';

/** Files that agents named, with the hash they had when the answer came; and those that were not there. */
export function EvidenceTable({ view }: { view: JobView }) {
  const rows = view.handoffs.flatMap(({ key, evidence, missing }) => [
    ...evidence.map((file) => ({ key, ...file })),
    ...missing.map((path) => ({ key, path, bytes: null, sha256: null })),
  ]);
  if (rows.length === 0) return <p className="in t2">No agent has named a file as evidence yet.</p>;
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
            <td className="m t3">{row.key}</td>
            <td className="num hide-s">{row.bytes === null ? '—' : bytes(row.bytes)}</td>
            <td className="m t3 hide-s">{row.sha256 === null ? '—' : shortHash(row.sha256)}</td>
            <td>
              {row.sha256 === null ? (
                <span className="st bad">
                  <Glyph glyph="octagon" tone="bad" />
                  named, not found
                </span>
              ) : (
                <span className="st">
                  <Glyph glyph="tick" tone="ok" />
                  hashed when the answer came
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
