import type { IncomingHttpHeaders } from 'node:http';
import { record } from './wires/wire.js';

const WAIT_MS_MAX = 30 * 24 * 3_600_000;
const SECOND = 1_000;

type Told = { headers: IncomingHttpHeaders; message?: unknown; error?: object };

/** How long a provider wants to be left alone, wherever it says so; the plainest place first. */
export function retryAfterMs({ headers, message, error }: Told, nowMs: number): number | undefined {
  const { resets_in_seconds, resets_at } = record(error);
  const places = [
    figure(headers['retry-after-ms']),
    scaled(figure(headers['retry-after']), SECOND) ?? until(headers['retry-after'], nowMs),
    scaled(figure(resets_in_seconds), SECOND),
    fromEpoch(resets_at, nowMs),
    fromEpoch(headers['anthropic-ratelimit-unified-reset'], nowMs),
    ...exhausted(headers, nowMs),
    spokenMs(message),
  ];
  const waitMs = places.find((place) => place !== undefined);
  return waitMs === undefined ? undefined : Math.round(Math.min(Math.max(0, waitMs), WAIT_MS_MAX));
}

/** Limits of which nothing remains say when they begin anew: as a time, or as a duration ("6m0s"). */
function exhausted(headers: IncomingHttpHeaders, nowMs: number): (number | undefined)[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const parts = /^(anthropic-ratelimit-[a-z-]+|x-ratelimit)-reset(-[a-z]+)?$/.exec(name);
    if (!parts || figure(headers[`${parts[1]}-remaining${parts[2] ?? ''}`]) !== 0) return [];
    return [durationMs(value) ?? until(value, nowMs)];
  });
}

function figure(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && /^\d{1,15}(\.\d{1,9})?$/.test(value.trim()) ? Number(value) : undefined;
}

function scaled(value: number | undefined, by: number): number | undefined {
  return value === undefined ? undefined : value * by;
}

function until(date: unknown, nowMs: number): number | undefined {
  const atMs = typeof date === 'string' && !/^[\d.]+$/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs - nowMs;
}

function fromEpoch(seconds: unknown, nowMs: number): number | undefined {
  const at = figure(seconds);
  return at === undefined ? undefined : at * SECOND - nowMs;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: 60 * SECOND, h: 3_600 * SECOND };

function durationMs(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h))+$/.test(value)) return undefined;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0);
}

/** "Please try again in 11.054s." */
function spokenMs(message: unknown): number | undefined {
  return typeof message === 'string' ? durationMs(/try again in ([\d.hms]+[hms])/i.exec(message)?.[1]) : undefined;
}
