import { Lines, Words } from '../parts/shown-text.js';
import { keyWord } from './envelope-words.js';

const DEPTH_MAX = 4;
const ROWS_MAX = 100;
const COLUMNS_MAX = 6;

/** A JSON value of an agent as people read it: names beside values, lists as lists, rows as a table. */
export function Readable({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (value === null || value === undefined || value === '') return <span className="t3">nothing</span>;
  if (typeof value === 'string') return <Lines text={value} className="pre-line" />;
  if (typeof value !== 'object') return <span>{wordOf(value)}</span>;
  if (depth >= DEPTH_MAX) return <Lines text={JSON.stringify(value, null, 2)} className="exact" />;
  return Array.isArray(value) ? (
    <Listed values={value} depth={depth} />
  ) : (
    <Named value={value as Record<string, unknown>} depth={depth} />
  );
}

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

function Named({ value, depth }: { value: Record<string, unknown>; depth: number }) {
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="t3">nothing</span>;
  return (
    <dl className="named">
      {entries.map(([key, inner]) => (
        <div key={key}>
          <dt>
            <Words text={keyWord(key)} />
          </dt>
          <dd>
            <Readable value={inner} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Listed({ values, depth }: { values: readonly unknown[]; depth: number }) {
  if (values.length === 0) return <span className="t3">none</span>;
  const shown = values.slice(0, ROWS_MAX);
  const columns = columnsOf(shown);
  return (
    <>
      {columns ? (
        <Rows rows={shown as Record<string, unknown>[]} columns={columns} depth={depth} />
      ) : (
        <ul className="listed">
          {shown.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a value is its place in the list
            <li key={index}>
              <Readable value={value} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
      {values.length > ROWS_MAX && <p className="sm t2">And {values.length - ROWS_MAX} more, as JSON.</p>}
    </>
  );
}

/** Objects that are alike enough to be rows of one table. */
function columnsOf(values: readonly unknown[]): readonly string[] | null {
  const isRow = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!values.every(isRow)) return null;
  const columns = [...new Set(values.flatMap((value) => Object.keys(value)))];
  return columns.length > 1 && columns.length <= COLUMNS_MAX ? columns : null;
}

function Rows({
  rows,
  columns,
  depth,
}: {
  rows: Record<string, unknown>[];
  columns: readonly string[];
  depth: number;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys
    <section className="scroll-x" tabIndex={0} aria-label="Table">
      <table className="rows-of">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                <Words text={keyWord(column)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>
                  {Object.hasOwn(row, column) ? <Readable value={row[column]} depth={depth + 2} /> : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
