import type { SessionBoard } from '../../client/index.js';
import { CommandLine } from '../parts/command-line.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { resumeCommand, stopLook } from './session-words.js';

/** A session at its limit takes no words before that is raised: why, and by which command. */
export function StoppedLine({ board }: { board: SessionBoard }) {
  const { stopped } = board;
  if (stopped?.code !== 'LIMIT_REACHED') return null;
  const { glyph, tone } = stopLook(stopped);
  return (
    <section className="stopped" aria-label="At its limit">
      <p className="row">
        <Glyph glyph={glyph} tone={tone} />
        <Words text={`${stopped.message.charAt(0).toUpperCase()}${stopped.message.slice(1)}.`} />
      </p>
      {stopped.raise !== null && (
        <>
          <p className="sm t2">Raise it in a terminal, and it goes on here as well:</p>
          <CommandLine command={resumeCommand(board)} />
        </>
      )}
    </section>
  );
}
