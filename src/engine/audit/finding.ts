import type { Finding } from '../../contracts/api/audit-shapes.js';

/** One change can break many things; the first ones name it. */
export const FINDINGS_MAX = 20;

export type Report = (finding: Finding) => void;
