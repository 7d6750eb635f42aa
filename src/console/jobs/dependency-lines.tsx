import { type RefObject, useLayoutEffect, useState } from 'react';
import type { JobCard } from '../../client/index.js';

type Props = { area: RefObject<HTMLElement | null>; card: JobCard | undefined; all: readonly JobCard[] };
type Line = { key: string; path: string };

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
  const rightwards = one.right <= other.left;
  const start = { x: (rightwards ? one.right : one.left) + dx, y: one.top + one.height / 2 + dy };
  const end = { x: (other.left >= one.right ? other.left : other.right) + dx, y: other.top + other.height / 2 + dy };
  if (Math.abs(one.left - other.left) < 1) [start.x, end.x] = [one.left + dx, other.left + dx];
  const bend = Math.abs(one.left - other.left) < 1 ? -24 : (end.x - start.x) / 2;
  const path = `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x - (bend === -24 ? 24 : bend)} ${end.y} ${end.x} ${end.y}`;
  return [{ key: `${from} ${to}`, path }];
}
