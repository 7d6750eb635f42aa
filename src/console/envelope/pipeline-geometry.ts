import type { Layout, Way } from './pipeline-ways.js';

export const BOX_HEIGHT = 72;
const BOX_WIDTH_MIN = 148;
const BOX_WIDTH_MAX = 200;
const GAP_MIN = 38;
const ROW_GAP = 16;
const EDGE = 4;
/** Of the first loop, and of each that lies around it. */
const LOOP_FIRST = 34;
const LOOP_MORE = 28;
const CORNER = 12;
/** Where loops leave and arrive, beside the middle of a box, so that they do not meet. */
const BESIDE = 14;
const HEAD = 3;

export type Box = { stage: string; x: number; y: number; width: number };
export type Line = Way & { path: string; label: { x: number; y: number } | null };
export type Drawing = { width: number; height: number; boxes: readonly Box[]; lines: readonly Line[] };

/** Everything in pixels, for a room of that width; narrower than its stages need it does not become. */
export function drawingOf({ places, columns, rows }: Layout, ways: readonly Way[], room: number): Drawing {
  const least = columns * BOX_WIDTH_MIN + (columns - 1) * GAP_MIN + 2 * EDGE;
  const width = Math.max(least, room);
  const spare = (width - 2 * EDGE - (columns - 1) * GAP_MIN) / columns;
  const boxWidth = Math.min(BOX_WIDTH_MAX, Math.floor(spare));
  const pitch = columns === 1 ? 0 : (width - 2 * EDGE - boxWidth) / (columns - 1);
  const columnOf = new Map(places.map(({ stage, column }) => [stage, column]));
  const [above, below] = [depthsOf(ways, 'above', columnOf), depthsOf(ways, 'below', columnOf)];
  const top = EDGE + heightOf(above);
  const bottom = top + rows * BOX_HEIGHT + (rows - 1) * ROW_GAP;
  const boxes = places.map(({ stage, column, row }): Box => {
    const count = places.filter((place) => place.column === column).length;
    const offset = ((rows - count) * (BOX_HEIGHT + ROW_GAP)) / 2;
    return { stage, x: EDGE + column * pitch, y: top + offset + row * (BOX_HEIGHT + ROW_GAP), width: boxWidth };
  });
  const boxOf = new Map(boxes.map((box) => [box.stage, box]));
  const lines = ways.flatMap((way): Line[] => {
    const [from, to] = [boxOf.get(way.from), boxOf.get(way.to)];
    if (!from || !to) return [];
    if (way.side === 'ahead') return [{ ...way, path: aheadPath(from, to), label: null }];
    const depth = (way.side === 'above' ? above : below).get(way) ?? 0;
    const y = way.side === 'above' ? top - loopHeight(depth) : bottom + loopHeight(depth);
    return [{ ...way, ...loopPath(from, to, y) }];
  });
  return { width, height: bottom + heightOf(below) + EDGE, boxes, lines };
}

function loopHeight(depth: number): number {
  return LOOP_FIRST - 8 + depth * LOOP_MORE;
}

function heightOf(depths: ReadonlyMap<Way, number>): number {
  return depths.size === 0 ? 0 : LOOP_FIRST + 6 + Math.max(...depths.values()) * LOOP_MORE;
}

/** Short loops lie inside long ones; those that do not meet share a height. */
function depthsOf(
  ways: readonly Way[],
  side: Way['side'],
  columnOf: ReadonlyMap<string, number>,
): ReadonlyMap<Way, number> {
  const spanOf = ({ from, to }: Way): [number, number] => {
    const ends = [columnOf.get(from) ?? 0, columnOf.get(to) ?? 0];
    return [Math.min(...ends), Math.max(...ends)];
  };
  const loops = ways
    .filter((way) => way.side === side)
    .toSorted((one, other) => lengthOf(spanOf(one)) - lengthOf(spanOf(other)));
  const taken: [number, number][][] = [];
  const depths = new Map<Way, number>();
  for (const way of loops) {
    const [first, last] = spanOf(way);
    const free = taken.findIndex((spans) => spans.every(([from, to]) => to < first || last < from));
    const depth = free === -1 ? taken.length : free;
    taken[depth] = [...(taken[depth] ?? []), [first, last]];
    depths.set(way, depth);
  }
  return depths;
}

const lengthOf = ([first, last]: [number, number]): number => last - first;

function aheadPath(from: Box, to: Box): string {
  const [x1, y1] = [from.x + from.width + 2, from.y + BOX_HEIGHT / 2];
  const [x2, y2] = [to.x - HEAD, to.y + BOX_HEIGHT / 2];
  if (y1 === y2) return `M${x1} ${y1}H${x2}`;
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

/** Out of a box, along at that height, into the other one. */
function loopPath(from: Box, to: Box, y: number): Pick<Line, 'path' | 'label'> {
  const isAbove = y < Math.min(from.y, to.y);
  const goesLeft = to.x <= from.x;
  const side = goesLeft ? -1 : 1;
  const x1 = from.x + from.width / 2 - side * BESIDE * (from === to ? 1 : 0) + (from === to ? 0 : side * -BESIDE);
  const x2 = to.x + to.width / 2 + side * BESIDE;
  const [y1, y2] = isAbove ? [from.y - 2, to.y - HEAD] : [from.y + BOX_HEIGHT + 2, to.y + BOX_HEIGHT + HEAD];
  const turn = isAbove ? CORNER : -CORNER;
  const [a, b] = [x1 + side * CORNER, x2 - side * CORNER];
  const path = `M${x1} ${y1}V${y + turn}Q${x1} ${y} ${a} ${y}H${b}Q${x2} ${y} ${x2} ${y + turn}V${y2}`;
  return { path, label: { x: (x1 + x2) / 2, y } };
}
