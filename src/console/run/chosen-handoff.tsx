import type { JobView } from '../../client/index.js';
import { FileTable, filesOf } from './evidence-table.js';
import { HandoffPanel } from './handoff-panel.js';
import { useChoosingKeys, useChosen } from './use-chosen.js';
import { useRelay } from './use-relay.js';

/** All that is known of the attempt that is chosen in the relay, also when its row is out of sight. */
export function ChosenHandoff({ view }: { view: JobView }) {
  const chosen = useChosen(view.attempts);
  useChoosingKeys(chosen, view.attempts);
  const row = useRelay(view, chosen, chosen + 1).get(chosen);
  if (!row) return null;
  const files = filesOf(row);
  return (
    <>
      <HandoffPanel key={`${row.sequence} ${row.last_event}`} view={view} row={row} />
      {files.length > 0 && (
        <section className="card" aria-label="Evidence of this handoff">
          <header>
            <h2>Evidence</h2>
            <span className="t3 sm">hashed when the answer arrived</span>
          </header>
          <FileTable rows={files} />
        </section>
      )}
    </>
  );
}
