import type { SessionApproval } from '../../client/index.js';
import { ExactCommand } from '../inbox/exact-command.js';
import { Diff } from '../parts/diff.js';
import { shortHash } from '../parts/figures.js';
import { GoesOn } from '../parts/goes-on.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { commandText, patchOf, shellOf } from './session-words.js';

/** What a person decides about, wherever they are asked. */
export type Wanted = Omit<SessionApproval, 'item' | 'asked_at' | 'title'>;
/** What holds in the session that asks. */
export type Holding = { cwd: string; mode: string; isOpen: boolean };

/** The very thing: the change line by line, or the command as it was given. */
export function ApprovalThing({ wanted, cwd }: { wanted: Wanted; cwd: string }) {
  const { kind, command, changes, arguments: given } = wanted;
  if (changes) {
    return (
      <GoesOn name="The exact change" className="exact-diff">
        <Diff patch={patchOf(changes, cwd)} />
      </GoesOn>
    );
  }
  if (kind === 'mcp' && given !== null) {
    return (
      <GoesOn name="The exact arguments">
        <Lines text={JSON.stringify(given, null, 2)} className="exact" />
      </GoesOn>
    );
  }
  return (
    <GoesOn name="The exact command">
      <ExactCommand text={commandText(command ?? [])} />
    </GoesOn>
  );
}

/** Where it would be done, what holds it, and why it is asked: Baton's words first, then the model's, which are quoted. */
export function ApprovalFacts({ wanted, holding }: { wanted: Wanted; holding: Holding }) {
  const { command, cwd, hash, where, justification, again, kind } = wanted;
  const shell = shellOf(command ?? []);
  return (
    <>
      <div className="row wrap sm t2 facts-line">
        {kind !== 'mcp' && (
          <span>
            in <Words text={cwd ?? holding.cwd} className="m" />
          </span>
        )}
        {shell !== null && (
          <span>
            run by <Words text={shell} className="m" />
          </span>
        )}
        <span>
          sha256 <span className="m">{shortHash(hash)}</span>
        </span>
        <span className={where === 'outside' && kind !== 'patch' ? 'you' : ''}>
          {where === 'outside' && kind !== 'patch' ? 'outside of the sandbox' : `sandbox ${holding.mode}`}
        </span>
        {holding.isOpen && <span className="you">network open</span>}
      </div>
      {again === 'unknown' && (
        <p className="row sm you again">
          <Glyph glyph="bolt" tone="you" />
          It had begun before, and what came of it is not known. Look before you allow it again.
        </p>
      )}
      {justification !== null && (
        <figure className="model-says">
          <figcaption className="sm t3">The model says, and nobody has checked it:</figcaption>
          <Lines text={justification} className="quote" />
        </figure>
      )}
    </>
  );
}
