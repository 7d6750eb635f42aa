import type { Finding } from '../contracts/api/audit-shapes.js';
import { BatonError } from '../contracts/shared/errors.js';
import type { Verification } from '../engine/audit/verify-journal.js';
import { counted } from './grouped-number.js';
import type { Io } from './io.js';
import { mark } from './mark.js';
import { printable } from './printable.js';

type Judged = Pick<Verification, 'findings' | 'more'>;

/** Says every place that was found, to people as lines and to scripts as an object. */
export function refuseBroken(io: Io, { findings, more }: Judged, json: boolean): BatonError {
  const [first] = findings;
  const count = more ? `more than ${findings.length} places` : counted(findings.length, 'place');
  if (!json) {
    io.err(`${mark(io, 'bad')} the journal is not as it was written: ${count}\n`);
    for (const finding of findings) io.err(`  ${printable(describe(finding))}\n`);
  }
  const { run_id, position } = findings.find((finding) => finding.run_id !== undefined) ?? first ?? {};
  return new BatonError('AUDIT_BROKEN', first?.says ?? 'the journal does not verify', {
    ...(run_id !== undefined && { run_id }),
    ...((first?.position ?? position) !== undefined && { position: first?.position ?? position }),
    findings,
    more,
  });
}

function describe({ says, column }: Finding): string {
  return column === undefined ? says : `${says}, column ${column}`;
}
