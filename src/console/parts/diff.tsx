import { memo, useState } from 'react';
import { Icon } from '../frame/icon.js';
import { grouped } from './figures.js';
import { type PatchLine, readPatch } from './read-patch.js';
import { Lines } from './shown-text.js';
import { shownText } from './visible.js';

const LINES_MAX = 2_000;

/** A patch file by file. Of a very long one the rest is shown when somebody asks for it, and until then it is told. */
export const Diff = memo(({ patch }: { patch: string }) => {
  const [isWhole, setWhole] = useState(false);
  const files = readPatch(patch, isWhole ? Number.POSITIVE_INFINITY : LINES_MAX);
  const left = files.reduce((sum, file) => sum + file.left, 0);
  if (files.length === 0) return <p className="in t2">Nothing was changed.</p>;
  return (
    <>
      {files.map((file) => (
        <section key={file.name} className="diff-file" aria-label={shownText(file.name)}>
          <div className="file">
            <Icon name="file" size={14} />
            <span className="iso el">{shownText(file.name)}</span>
            <span className="sp" />
            <span className="ok">+{file.added}</span>
            <span className="bad">−{file.removed}</span>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
          <section className="diff" tabIndex={0} aria-label={`Changed lines of ${shownText(file.name)}`}>
            {file.lines.map((line) => (
              <Line key={line.key} line={line} />
            ))}
          </section>
          {file.left > 0 && <p className="in sm t2">{grouped(file.left)} more lines of this file are not shown yet.</p>}
        </section>
      ))}
      {left > 0 && (
        <p className="in">
          <button type="button" className="btn s" onClick={() => setWhole(true)}>
            Show {grouped(left)} more lines
          </button>
        </p>
      )}
    </>
  );
});

function Line({ line }: { line: PatchLine }) {
  if (line.kind === 'hunk') return <div className="hunk">{shownText(line.text)}</div>;
  const marks = { add: '+', del: '−', same: ' ' } as const;
  return (
    <div className={line.kind}>
      <i>{line.before ?? ''}</i>
      <i>{line.after ?? ''}</i>
      <b>{marks[line.kind]}</b>
      <Lines text={line.text} as="span" />
    </div>
  );
}
