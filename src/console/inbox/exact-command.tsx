import { Fragment } from 'react';
import { Lines } from '../parts/shown-text.js';
import { shownText } from '../parts/visible.js';

const SHOWN_WHOLE_MAX = 2_000;

/** A command as it was given, character by character; flags are only dimmed. */
export function ExactCommand({ text }: { text: string }) {
  if (text.length > SHOWN_WHOLE_MAX) return <Lines text={text} className="exact" />;
  return (
    <div className="exact iso">
      {text.split(/(\s+)/).map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words of one command never move
        <Fragment key={index}>
          {word.startsWith('-') ? <span className="t3">{shownText(word)}</span> : shownText(word)}
        </Fragment>
      ))}
    </div>
  );
}
