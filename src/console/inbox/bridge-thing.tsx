import type { InboxItem } from '../../client/index.js';
import { Prompt } from '../bridge/prompt.js';
import { Link } from '../frame/link.js';
import { quoted } from '../parts/quoted.js';
import { Lines, Words } from '../parts/shown-text.js';

/** What an orchestrator asks: its whole prompt, and where it runs. */
export function BridgeThing({ item }: { item: InboxItem }) {
  const { words, document, dir, command, phase_name, request_id } = item.details;
  const facts = {
    phase: phase_name,
    in: dir,
    command: Array.isArray(command) ? command.map((word) => quoted(String(word))).join(' ') : undefined,
    request: request_id,
  };
  return (
    <>
      <section className="sec" aria-label="What the orchestrator asks">
        <h3>What the orchestrator asks</h3>
        {typeof document === 'string' ? (
          <Prompt run={item.run_id} request={document} />
        ) : (
          <Lines text={String(words ?? '')} className="quote pre-line" />
        )}
      </section>
      <div className="row wrap sm t2 facts-line">
        {Object.entries(facts).map(
          ([name, value]) =>
            typeof value === 'string' && (
              <span key={name}>
                {name} <Words text={value} className="m" />
              </span>
            ),
        )}
        <Link to={`/bridges/${encodeURIComponent(item.run_id)}`} className="l">
          Open the bridge
        </Link>
      </div>
    </>
  );
}
