import { type KeyboardEvent, useRef, useState } from 'react';
import { Icon } from '../frame/icon.js';
import { Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import type { LockRow } from './lock-rows.js';

const ROWS_MAX = 200;
const INDENT_PX = 16;

/** Who may write where. Arrow keys go through it, and open and close folders. */
export function LockTree({ rows, active }: { rows: readonly LockRow[]; active: number }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const tree = useRef<HTMLTableElement>(null);
  const open = rows.filter(
    ({ path }) => ![...closed].some((folder) => (folder === '.' ? path !== '.' : path.startsWith(`${folder}/`))),
  );
  const shown = open.slice(0, ROWS_MAX);
  const focus = (row: number): void => {
    const next = Math.max(0, Math.min(shown.length - 1, row));
    setAt(next);
    tree.current?.querySelectorAll<HTMLElement>('tr')[next]?.focus();
  };
  const press = (event: KeyboardEvent, { path, hasInner }: LockRow, index: number): void => {
    const folded = closed.has(path);
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -shown.length, End: shown.length }[event.key];
    if (step !== undefined) focus(index + step);
    else if (event.key === 'ArrowRight' && hasInner && folded) setClosed(without(closed, path));
    else if (event.key === 'ArrowLeft' && hasInner && !folded) setClosed(new Set([...closed, path]));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  if (rows.length === 0) return <p className="in t2">No path is locked.</p>;
  return (
    <>
      <div className="locks">
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows of a table, with levels */}
        <table ref={tree} role="treegrid" aria-label="Locks">
          <tbody>
            {shown.map((row, index) => (
              <tr
                key={row.path}
                className={`lk ${row.holder ? 'on' : ''}`}
                aria-level={row.level}
                aria-expanded={row.hasInner ? !closed.has(row.path) : undefined}
                tabIndex={index === Math.min(at, shown.length - 1) ? 0 : -1}
                onKeyDown={(event) => press(event, row, index)}
                onFocus={() => setAt(index)}
              >
                <td>
                  <span className="row g4" style={{ paddingLeft: (row.level - 1) * INDENT_PX }}>
                    <Icon name={row.hasInner || !row.name.includes('.') ? 'folder' : 'file'} size={14} />
                    <Words text={row.name} className="m el" />
                  </span>
                </td>
                <td>
                  <span className="row g4 lk-who">
                    <Who row={row} active={active} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {open.length > shown.length && <p className="in sm t2">And {open.length - shown.length} more paths.</p>}
    </>
  );
}

function without(closed: ReadonlySet<string>, path: string): ReadonlySet<string> {
  return new Set([...closed].filter((folder) => folder !== path));
}

function Who({ row: { holder, wantedBy, forbiddenTo, released }, active }: { row: LockRow; active: number }) {
  return (
    <>
      {holder && (
        <span className="row g4">
          <span className="run row g4">
            <Icon name="lock" size={13} />
            <Words text={holder.task} className="b el" />
          </span>
          <Words text={holder.owner} className="t2 el" />
          {holder.since !== null && (
            <span className="t3 nw">
              <Ago at={holder.since} />
            </span>
          )}
        </span>
      )}
      {wantedBy.length > 0 && (
        <span className="row g4 t2">
          <Glyph glyph="ring" tone="rest" size={13} />
          <Words text={wantedWords(wantedBy)} />
        </span>
      )}
      {forbiddenTo.length > 0 && (
        <span className="row g4 t2">
          <Glyph glyph="slash" tone="rest" size={13} />
          <Words
            text={
              forbiddenTo.length === active && active > 1
                ? 'forbidden to all'
                : `forbidden to ${forbiddenTo.join(', ')}`
            }
          />
        </span>
      )}
      {!holder && released && <Released {...released} />}
    </>
  );
}

function Released({ task, blocked }: { task: string; blocked: boolean }) {
  if (!blocked) return <Words text={`released by ${task}`} className="t3" />;
  return (
    <span className="bad row g4">
      <Glyph glyph="square" tone="bad" size={13} />
      <Words text={`released, ${task}`} />
    </span>
  );
}

function wantedWords(tasks: readonly string[]): string {
  return tasks.length <= 3
    ? `${tasks.join(', ')} ${tasks.length === 1 ? 'waits' : 'wait'}`
    : `${tasks.length} tasks wait`;
}
