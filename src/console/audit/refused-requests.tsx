import type { RunEvent } from '../../client/index.js';
import { useRunEvents } from '../live/use-run-events.js';
import { Card } from '../parts/card.js';
import { clockTime, grouped } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';

type Refused = { code: string; method: string; path: string; from: string; by: string | null; count: number };

const ROWS_MAX = 200;

/** Who was turned away, and from what. */
export function RefusedRequests() {
  const events = useRunEvents('system') ?? [];
  const rows = events.filter(({ type }) => type === 'RequestsRefused').flatMap(refusedIn);
  return (
    <Card title="Refused requests">
      {rows.length === 0 ? (
        <p className="in t2">Nobody was turned away.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Code</th>
              <th scope="col">What</th>
              <th scope="col" className="hide-s">
                Who
              </th>
              <th scope="col" className="r">
                Times
              </th>
            </tr>
          </thead>
          <tbody>
            {rows
              .slice(-ROWS_MAX)
              .toReversed()
              .map(({ key, at, code, method, path, from, by, count }) => (
                <tr key={key}>
                  <td className="t3 num-l">{clockTime(at)}</td>
                  <td className="m bad">{code}</td>
                  <td>
                    <Words text={`${method} ${path}`} className="m" />
                  </td>
                  <td className="hide-s">
                    <Words text={by ?? from} />
                  </td>
                  <td className="num">{grouped(count)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function refusedIn({ position, at, data }: RunEvent): (Refused & { key: string; at: string })[] {
  const { refused = [] } = data as { refused?: readonly Refused[] };
  return refused.map((one, index) => ({ ...one, at, key: `${position} ${index}` }));
}
