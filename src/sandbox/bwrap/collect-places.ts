import { accessSync, constants, existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Confinement } from '../sandbox.js';
import { guardedPlaces, rootOf } from './guarded-places.js';
import { HIDDEN_FOLDERS, PRIVATE_FOLDERS, PROGRAM_FOLDERS, SYSTEM_PROGRAMS, SYSTEM_SECRETS } from './known-places.js';
import { listeningSockets } from './listening-sockets.js';
import { inMountOrder, isAtOrBelow, isBelow, type Place, type PlaceKind } from './place.js';

type Wanted = Pick<Confinement, 'writable' | 'readOnly' | 'hidden' | 'control' | 'mayCover'>;

/** Everything that differs inside from a read-only view of this machine, in the order in which it is mounted. */
export function collectPlaces(wanted: Wanted, env: Readonly<Record<string, string>>): Place[] | { reason: string } {
  const writable: string[] = [];
  for (const folder of wanted.writable) {
    const real = realPath(folder);
    if (real === undefined || real === '/') return { reason: `${folder} cannot be made writable inside` };
    writable.push(real);
  }
  const guarded: Place[] = [];
  for (const root of writable) {
    const places = onTheWayTo(root, writable, wanted);
    if ('reason' in places) return places;
    guarded.push(...places);
  }
  for (const [kind, paths] of [
    ['control', wanted.control],
    ['hidden', wanted.hidden],
  ] as const) {
    for (const one of paths) {
      const at = throughRealRoot(one, wanted.writable, writable);
      const places = guard(at, kind, { roots: writable, mayCover: wanted.mayCover });
      if ('reason' in places) return places;
      guarded.push(...places);
    }
  }
  const ordinary = [...privatePlaces(), ...programPlaces(env.PATH ?? ''), ...existing('read-only', wanted.readOnly)];
  const ours = [...ordinary, ...existing('writable', writable), ...guarded];
  return inMountOrder([...ours, ...socketPlaces(ours, writable)]);
}

/** Folders between a writable root and the one around it: moved aside, they would leave room for a link in its place. */
function onTheWayTo(root: string, roots: readonly string[], { mayCover }: Wanted): Place[] | { reason: string } {
  const around = rootOf(root, roots);
  if (around === undefined) return [];
  const places = guardedPlaces(root, 'control', { root: around, mayCover });
  return 'reason' in places ? places : places.filter(({ kind }) => kind === 'pinned');
}

function guard(
  at: string,
  kind: 'control' | 'hidden',
  { roots, mayCover }: { roots: readonly string[]; mayCover: boolean },
): Place[] | { reason: string } {
  const root = rootOf(at, roots);
  if (root === undefined) {
    return kind === 'control' ? { reason: `${at} is in none of the writable folders` } : existing('hidden', [at]);
  }
  const places = guardedPlaces(at, kind, { root, mayCover });
  if ('reason' in places || mayCover || places.every((place) => place.kind !== 'absent')) return places;
  // It was there when it was looked for. What is to be hidden and not there needs no hiding.
  return kind === 'control' ? { reason: `${at} has just been removed: try again` } : [];
}

let known: readonly string[] | undefined;
/** Of the user and of this process, which may have been given another one. */
function homes(): readonly string[] {
  known ??= [...new Set([os.homedir(), os.userInfo().homedir])]
    .flatMap((home) => realPath(home) ?? [])
    .filter((home) => home !== '/' && lstatSync(home).isDirectory());
  return known;
}

function privatePlaces(): Place[] {
  const closed = existing('hidden', [...HIDDEN_FOLDERS, ...SYSTEM_SECRETS.filter(holdsSomething)]);
  // A home may be one of the hidden folders; then it is the private one.
  const hidden = closed.filter(({ path: at }) => !homes().includes(at));
  return [...hidden, ...existing('private', [...PRIVATE_FOLDERS, ...homes()])];
}

function programPlaces(PATH: string): Place[] {
  const closed = [...homes(), ...HIDDEN_FOLDERS, ...PRIVATE_FOLDERS];
  const onPath = PATH.split(path.delimiter).filter((folder) => closed.some((one) => isBelow(folder, one)));
  const kept = homes().flatMap((home) => PROGRAM_FOLDERS.map((folder) => path.join(home, folder)));
  const all = existing('read-only', [...SYSTEM_PROGRAMS, ...kept, ...onPath]);
  return all.filter((one) => !all.some((other) => isBelow(one.path, other.path)));
}

/** Those that could be reached: not where everything is private or hidden anyway. */
function socketPlaces(places: readonly Place[], writable: readonly string[]): Place[] {
  const closed = places.filter(({ kind }) => kind === 'private' || kind === 'hidden').map(({ path: at }) => at);
  const reachable = listeningSockets().filter((socket) => {
    const real = realPath(socket);
    if (real === undefined) return false;
    const isOpenAgain = places.some(({ kind, path: at }) => kind === 'read-only' && isAtOrBelow(real, at));
    if (writable.some((root) => isAtOrBelow(real, root))) return false;
    return isOpenAgain || !closed.some((folder) => isAtOrBelow(real, folder));
  });
  return existing('hidden', reachable);
}

function existing(kind: PlaceKind, paths: readonly string[]): Place[] {
  return paths.flatMap((one) => {
    const real = realPath(one);
    return real === undefined || real === '/' ? [] : { path: real, kind };
  });
}

/** Links above a root are followed, links inside it are for guardedPlaces to refuse. */
function throughRealRoot(one: string, given: readonly string[], real: readonly string[]): string {
  const plain = path.resolve(one);
  const index = given.findIndex((root) => isAtOrBelow(plain, path.resolve(root)));
  if (index < 0) return plain;
  return path.join(real[index] ?? '', path.relative(path.resolve(given[index] ?? ''), plain));
}

/** Hiding takes time: what is empty, or cannot be read by this user and so not inside either, is left as it is. */
function holdsSomething(one: string): boolean {
  if (!existsSync(one)) return false;
  try {
    if (lstatSync(one).isDirectory()) return readdirSync(one).length > 0;
    accessSync(one, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function realPath(one: string): string | undefined {
  if (!existsSync(one)) return undefined; // most are not there, and an exception costs more than the look
  try {
    return realpathSync.native(one);
  } catch {
    return undefined;
  }
}
