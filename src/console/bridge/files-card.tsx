import type { BridgeBoard } from '../../client/index.js';
import { Card } from '../parts/card.js';
import { bytes, shortHash } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { type FileMark, fileMarks } from './file-marks.js';

/** The three files between both sides, and whether what they say belongs together. */
export function FilesCard({ board }: { board: BridgeBoard }) {
  const marks = fileMarks(board);
  const unlike = marks.filter(({ expected }) => expected !== null).length;
  return (
    <Card
      title="Files"
      beside={
        unlike > 0 ? (
          <span className="chip bad">{unlike === 1 ? '1 does not match' : `${unlike} do not match`}</span>
        ) : (
          <span className="sm t3">{board.files_removed ? 'removed at its end' : 'as they were seen last'}</span>
        )
      }
    >
      <ul className="files">
        {marks.map((mark) => (
          <File key={mark.name} mark={mark} isGone={board.files_removed} />
        ))}
      </ul>
    </Card>
  );
}

function File({ mark, isGone }: { mark: FileMark; isGone: boolean }) {
  const { name, what, file, expected } = mark;
  const isBad = expected !== null;
  return (
    <li className={isBad ? 'unlike' : ''}>
      <div className="row">
        {file ? (
          <Glyph glyph={isBad ? 'octagon' : isGone ? 'ring' : 'tick'} tone={isBad ? 'bad' : isGone ? 'rest' : 'ok'} />
        ) : (
          <Glyph glyph="dashes" tone="rest" />
        )}
        <b>{what}</b>
        <span className="sp" />
        <span className="m t3">{name}</span>
      </div>
      {file ? (
        <>
          <div className="row wrap sm t3 file-facts">
            <span className="m" title={file.sha256}>
              sha256 {shortHash(file.sha256)}
            </span>
            <span>{bytes(file.bytes)}</span>
            <span>
              {file.by_baton ? 'written by Baton ' : 'written '}
              <Ago at={file.written_at ?? file.seen_at} /> ago
            </span>
            {file.is_masked && <span>holds secrets: not the whole of it is kept</span>}
          </div>
          <Ids mark={mark} />
        </>
      ) : (
        <p className="sm t3 file-facts">{isGone ? 'It was not there.' : 'It is not there.'}</p>
      )}
    </li>
  );
}

/** Both values, where they are not the same. */
function Ids({ mark: { file, expected, says } }: { mark: FileMark }) {
  if (expected !== null) {
    return (
      <dl className="ids sm bad">
        <dt>its request_id</dt>
        <dd>
          <Words text={file?.id ?? ''} className="m" />
        </dd>
        <dt>must be</dt>
        <dd>
          <Words text={expected} className="m" />
        </dd>
      </dl>
    );
  }
  return (
    <div className="sm t2 file-facts">
      {file?.id && <Words text={file.id} className="m id" />} <span className="t3">{says}</span>
    </div>
  );
}
