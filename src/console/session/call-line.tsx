import type { SessionCall } from '../../client/index.js';
import { ExactCommand } from '../inbox/exact-command.js';
import { Diff } from '../parts/diff.js';
import { bytes } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { CALL_LOOKS, callNotes, callTitle, commandText, patchOf } from './session-words.js';

type Props = { call: SessionCall /** What it prints right now. */; live: string; cwd: string };

/** A command, a change or a tool on one line; opened, all of it. */
export function CallLine({ call, live, cwd }: Props) {
  const { glyph, tone, word } = CALL_LOOKS[call.state];
  return (
    <details className="tool" open={call.state === 'running' && live !== ''}>
      <summary>
        <Glyph glyph={glyph} tone={tone} />
        <span className="vh">{word}</span>
        {call.changes && <b>Patch</b>}
        <Words text={callTitle(call)} className={call.changes ? 't2 el' : 'm el'} />
        <span className="sp" />
        {callNotes(call).map((note) => (
          <Words key={note} text={note} className="t3 sm nw" />
        ))}
      </summary>
      <div className="tool-in">
        <Body call={call} live={live} cwd={cwd} />
      </div>
    </details>
  );
}

function Body({ call, live, cwd }: Props) {
  const { command, changes, arguments: given, cut, stdout, stderr, left_out, reason, justification, where } = call;
  return (
    <>
      {command && <ExactCommand text={commandText(command)} />}
      {changes && <Diff patch={patchOf(changes, cwd)} />}
      {given !== null && given !== undefined && <Lines text={JSON.stringify(given, null, 2)} className="exact" />}
      {cut > 0 && <p className="sm t3">{bytes(cut)} of this are not shown.</p>}
      <p className="row wrap sm t2">
        {call.cwd !== null && (
          <span>
            in <Words text={call.cwd} className="m" />
          </span>
        )}
        {where !== null && <span>{where} of the sandbox</span>}
        {reason !== null && <Words text={reason} />}
      </p>
      {justification !== null && (
        <figure className="model-says">
          <figcaption className="sm t3">The model said:</figcaption>
          <Lines text={justification} className="quote" />
        </figure>
      )}
      {left_out > 0 && <p className="sm t3">{bytes(left_out)} before this are not shown.</p>}
      <Output title="output" text={live === '' ? stdout : live} />
      <Output title="error output" text={stderr} />
    </>
  );
}

function Output({ title, text }: { title: string; text: string }) {
  if (text === '') return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys
    <section className="printed" aria-label={title} tabIndex={0}>
      <Lines text={text} className="pre m" />
    </section>
  );
}
