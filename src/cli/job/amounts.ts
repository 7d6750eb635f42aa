import { BatonError } from '../../contracts/shared/errors.js';

const UNITS: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, min: 1, h: 60, d: 1_440 };

/** `45m`, `90s`, `1h30m` or plain minutes. */
export function parseMinutes(text: string, option: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(min|[smhd])/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text) {
    return parts.reduce((sum, [, count, unit = 'm']) => sum + Number(count) * (UNITS[unit] ?? 1), 0);
  }
  throw new BatonError('USAGE', `--${option} takes a time such as 45m or 1h30m, not ${JSON.stringify(text)}`);
}

export function parseAmount(text: string, option: string): number {
  const plain = text.replace(/^\$/, '');
  if (/^\d+(\.\d+)?$/.test(plain)) return Number(plain);
  throw new BatonError('USAGE', `--${option} takes a number or none, not ${JSON.stringify(text)}`);
}

export function usd(microUsd: number): string {
  return `$${(microUsd / 1_000_000).toFixed(2)}`;
}

export function tokens(count: number): string {
  if (count >= 1_000_000) return `${(count / 1_000_000).toFixed(1)}M tok`;
  return count >= 1_000 ? `${Math.round(count / 1_000)}k tok` : `${count} tok`;
}

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${String(seconds % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}
