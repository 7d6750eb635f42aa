export type Place = { x: number; y: number; w: number; name: string };
/** How an edge is drawn, and where it says how often it was passed. */
export type Way = { d: string; x: number; y: number };

export const HEIGHT = 26;

export const PLACES: Readonly<Record<string, Place>> = {
  DRAFT: { x: 4, y: 27, w: 56, name: 'Draft' },
  PENDING: { x: 90, y: 27, w: 68, name: 'Pending' },
  RUNNING: { x: 190, y: 27, w: 68, name: 'Running' },
  REVIEWING: { x: 282, y: 27, w: 80, name: 'Reviewing' },
  INTERVENTION_REQUIRED: { x: 174, y: 109, w: 96, name: 'Intervention' },
  HALTED_TIME: { x: 6, y: 103, w: 92, name: 'Halted, time' },
  HALTED_COST: { x: 6, y: 139, w: 92, name: 'Halted, cost' },
  CANCELED: { x: 102, y: 177, w: 76, name: 'Canceled' },
  SUCCESS: { x: 280, y: 177, w: 76, name: 'Success' },
};

const I = 'INTERVENTION_REQUIRED';

/** Laid by hand, so that they cross as little as they can. Others are laid straight. */
const WAYS: Readonly<Record<string, Way>> = {
  'DRAFT PENDING': { d: 'M61 40H88', x: 75, y: 33 },
  'PENDING RUNNING': { d: 'M158 40H188', x: 173, y: 33 },
  'RUNNING REVIEWING': { d: 'M258 40H280', x: 269, y: 33 },
  'RUNNING PENDING': { d: 'M216 27C208 8 146 8 134 25', x: 175, y: 10 },
  'REVIEWING RUNNING': { d: 'M310 27C302 8 248 8 238 25', x: 274, y: 10 },
  'PENDING REVIEWING': { d: 'M126 27C140 -6 310 -6 326 25', x: 226, y: 11 },
  'REVIEWING PENDING': { d: 'M314 53C298 88 150 88 132 55', x: 222, y: 76 },
  [`REVIEWING ${I}`]: { d: 'M332 53C334 104 312 122 272 122', x: 342, y: 94 },
  [`RUNNING ${I}`]: { d: 'M244 53C248 74 244 92 238 107', x: 256, y: 98 },
  [`PENDING ${I}`]: { d: 'M140 53C146 86 158 104 178 110', x: 146, y: 98 },
  [`${I} PENDING`]: { d: 'M172 122C136 122 118 96 118 55', x: 130, y: 116 },
  [`${I} SUCCESS`]: { d: 'M272 130C302 136 318 152 318 175', x: 312, y: 148 },
  [`${I} CANCELED`]: { d: 'M222 135C222 172 206 190 180 190', x: 212, y: 170 },
  'RUNNING SUCCESS': { d: 'M254 53C296 80 306 130 310 175', x: 296, y: 110 },
  'REVIEWING SUCCESS': { d: 'M348 53C356 100 350 140 336 175', x: 356, y: 120 },
  'RUNNING CANCELED': { d: 'M206 53C176 90 156 130 148 175', x: 162, y: 134 },
  'PENDING CANCELED': { d: 'M124 53C126 100 134 140 138 175', x: 140, y: 140 },
  'DRAFT CANCELED': { d: 'M24 53C-8 120 10 196 100 190', x: 40, y: 184 },
  'PENDING HALTED_TIME': { d: 'M104 53C92 72 78 88 66 101', x: 74, y: 82 },
  'RUNNING HALTED_TIME': { d: 'M196 53C180 92 140 110 100 114', x: 152, y: 106 },
  'RUNNING HALTED_COST': { d: 'M200 53C186 110 150 146 100 151', x: 150, y: 144 },
  'PENDING HALTED_COST': { d: 'M110 53C116 100 112 136 100 146', x: 124, y: 112 },
};

/** Drawn dotted until they were passed: where it mostly can go. */
export const POSSIBLE = [`${I} PENDING`, `${I} SUCCESS`, `${I} CANCELED`, 'PENDING HALTED_TIME'];

export function wayOf(move: string): Way | undefined {
  const known = WAYS[move];
  const [from, to] = move.split(' ').map((name) => PLACES[name]);
  if (known || !from || !to) return known;
  const [ax, bx] = [from.x + from.w / 2, to.x + to.w / 2];
  const down = to.y > from.y;
  const [ay, by] = down ? [from.y + HEIGHT, to.y - 2] : [from.y, to.y + HEIGHT + 2];
  const middle = (ay + by) / 2;
  return { d: `M${ax} ${ay}C${ax} ${middle} ${bx} ${middle} ${bx} ${by}`, x: (ax + bx) / 2 + 12, y: middle + 4 };
}
