import { type RefObject, useLayoutEffect, useState } from 'react';
import type { JobCard } from '../../client/index.js';

type Props = { area: RefObject<HTMLElement | null>; card: JobCard | undefined; all: readonly JobCard[] };
type Line = { key: string; path: string };

/** In one column the line runs between the cards and the edge. */
const BESIDE = 9;

/** From what a job waits for to the job, and from it to what waits for it; for the card that is pointed at. */
export function DependencyLines({ area, card, all }: Props) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const pairs = card ? pairsOf(card, all) : [];
  const wanted = pairs.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn when what is drawn has changed
  useLayoutEffect(() => {
    setLines(pairs.flatMap(([from, to]) => lineBetween(area.current, from, to)));
  }, [area, wanted]);
  if (lines.length === 0) return null;
  return (
    <svg className="depends" aria-hidden="true">
      {lines.map(({ key, path }) => (
        <path key={key} d={path} />
      ))}
    </svg>
  );
}

function pairsOf(card: JobCard, all: readonly JobCard[]): (readonly [from: string, to: string])[] {
  const before = card.after.map((id) => [id, card.run_id] as const);
  const behind = all
    .filter(({ after }) => after.includes(card.run_id))
    .map(({ run_id }) => [card.run_id, run_id] as const);
  return [...before, ...behind];
}

/** None when one of the two is not on the board. */
function lineBetween(area: HTMLElement | null, from: string, to: string): Line[] {
  const place = (run: string) => area?.querySelector(`[data-run="${CSS.escape(run)}"]`)?.getBoundingClientRect();
  const [one, other, whole] = [place(from), place(to), area?.getBoundingClientRect()];
  if (!one || !other || !whole || !area) return [];
  const [dx, dy] = [area.scrollLeft - whole.left, area.scrollTop - whole.top];
  const [y1, y2] = [one.top + one.height / 2 + dy, other.top + other.height / 2 + dy];
  const key = `${from} ${to}`;
  if (Math.abs(one.left - other.left) < 1) {
    const x = one.left + dx;
    return [{ key, path: `M${x} ${y1}C${x - BESIDE} ${y1} ${x - BESIDE} ${y2} ${x} ${y2}` }];
  }
  const rightwards = one.left < other.left;
  const [x1, x2] = [(rightwards ? one.right : one.left) + dx, (rightwards ? other.left : other.right) + dx];
  const middle = (x1 + x2) / 2;
  return [{ key, path: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` }];
}
