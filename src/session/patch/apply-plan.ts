import { lstat, open, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../system/durable-write.js';
import { type HeldFolder, holdFolder, type OnMade } from './held-folder.js';
import { hashOf } from './look-at-file.js';
import { patchPlace, patchRoots } from './patch-place.js';
import type { PatchPlan, PlannedFile } from './patch-plan.js';
import {
  CHANGED,
  forget,
  type Progress,
  prepare,
  progressOf,
  putBack,
  type Site,
  SwapProblem,
  swap,
} from './swap-file.js';

type Applied = { applied: true } | { applied: false; reason: string };
type Where = {
  cwd: string;
  /** Where files may lie beside `cwd`; by default nowhere. */
  roots?: readonly string[];
};
type Target = { file: PlannedFile; root: string; below: string };

/** Why nothing was done, as a sentence. It never leaves this file. */
class Refused extends Error {}

/**
 * Does what a plan says: all of it or nothing. It may be called again after a kill at any moment, by any process, and
 * then goes on; when that is no longer possible it puts back what the earlier attempt had done.
 */
export async function applyPlan(plan: PatchPlan, { cwd, roots = [] }: Where): Promise<Applied> {
  const bench = new Bench(plan, await patchRoots(cwd, roots));
  try {
    await bench.apply();
    return { applied: true };
  } catch (problem) {
    return { applied: false, reason: await bench.giveUp(problem) };
  } finally {
    await bench.close();
  }
}

/**
 * Ends what an attempt had begun that nobody wants any more: what is done as a whole stays, anything less is put back.
 * Nothing is begun by it, and where nothing was begun it does nothing.
 */
export async function endPlan(plan: PatchPlan, { cwd, roots = [] }: Where): Promise<void> {
  const bench = new Bench(plan, await patchRoots(cwd, roots));
  try {
    await bench.end();
  } catch (problem) {
    await bench.giveUp(problem);
  } finally {
    await bench.close();
  }
}

class Bench {
  readonly #plan: PatchPlan;
  readonly #roots: readonly string[];
  readonly #key: string;
  readonly #folders = new Map<string, HeldFolder>();
  readonly #sites: Site[] = [];
  readonly #made: string[] = [];

  constructor(plan: PatchPlan, roots: readonly string[]) {
    this.#plan = plan;
    this.#roots = roots;
    this.#key = hashOf(JSON.stringify(plan.files.map(({ path, before, after }) => [path, before, after])));
  }

  async apply(): Promise<void> {
    const targets = this.#plan.files.map((file) => this.#targetOf(file));
    const { due, strange } = await this.#compare(targets);
    if (await this.#isCommitted()) {
      if (due.length === 0) return this.#forget();
      // Where something is to be done, the mark is not ours.
      await this.#removeMark();
    }
    if (strange !== undefined) throw new Refused(strange);
    const sites: Site[] = [];
    for (const target of due) {
      const site = await this.#siteOf(target, (folder) => this.#made.push(folder));
      if (!site) throw refused(target.file, 'has no folder');
      sites.push(site);
      await tell(site.file, prepare(site));
    }
    for (const site of sites) await tell(site.file, swap(site));
    await this.#commit();
    await this.#forget();
  }

  async end(): Promise<void> {
    const { due, strange } = await this.#compare(this.#plan.files.map((file) => this.#targetOf(file)));
    if (due.length > 0 || (strange !== undefined && !(await this.#isCommitted())))
      throw new Refused('it was called off');
    await this.#forget();
  }

  /** What is to be done yet, and the first that is neither as shown nor as planned: that stops all. */
  async #compare(targets: readonly Target[]): Promise<{ due: Target[]; strange: string | undefined }> {
    const due: Target[] = [];
    let strange: string | undefined;
    // To the last one: an earlier attempt is put back as a whole, so all its files have to be known.
    for (const target of targets) {
      const progress = await this.#progressOf(target);
      if (progress === 'due') due.push(target);
      else if (progress !== 'done') strange ??= progress.refused;
    }
    return { due, strange };
  }

  async #progressOf(target: Target): Promise<Progress> {
    const { file } = target;
    try {
      const site = await this.#siteOf(target);
      const progress = site ? await tell(file, progressOf(site)) : withoutFolder(file);
      return typeof progress === 'string' ? progress : { refused: `${file.path} ${progress.refused}` };
    } catch (problem) {
      if (problem instanceof Refused) return { refused: problem.message };
      throw problem;
    }
  }

  /** From here nothing is put back any more; former files may go one by one. */
  async #commit(): Promise<void> {
    await this.#sync();
    const mark = this.#mark();
    if (!mark) return;
    await (await open(mark.at, 'wx')).close();
    await syncFolder(mark.folder.place);
  }

  async #isCommitted(): Promise<boolean> {
    const mark = this.#mark();
    if (!mark) return false;
    return (await lstat(mark.at).catch(() => undefined)) !== undefined;
  }

  /** What cannot be removed only lies there, and the mark with it: no reason to take anything back. */
  async #forget(): Promise<void> {
    try {
      for (const site of this.#sites) await forget(site);
      await this.#removeMark();
    } catch {}
  }

  /** Lies beside the first file of the plan that has a folder: found there by whoever goes on. */
  #mark(): { folder: HeldFolder; at: string } | undefined {
    const [first] = this.#plan.files.flatMap((file) => this.#sites.filter((site) => site.file === file));
    return first && { folder: first.folder, at: first.folder.at(`.baton-${this.#key.slice(0, 24)}.done`) };
  }

  async #removeMark(): Promise<void> {
    const mark = this.#mark();
    if (mark) await rm(mark.at, { force: true });
  }

  /** Puts back what was done, here or by an attempt that was killed; says why. */
  async giveUp(problem: unknown): Promise<string> {
    const { code = 'unknown failure' } = problem as NodeJS.ErrnoException;
    const reason = problem instanceof Refused ? problem.message : `the patch could not be written (${code})`;
    const left: string[] = [];
    const note = (place: string) => (failure: Error) => left.push(`${place} (${failure.message})`);
    await this.#removeMark().catch(note('the mark'));
    for (const site of left.length > 0 ? [] : this.#sites.toReversed()) {
      await putBack(site).catch(note(site.file.path));
    }
    for (const folder of this.#made.toReversed()) await rmdir(folder).catch(() => {});
    return left.length === 0 ? reason : `${reason}; could not be put back: ${left.join(', ')}`;
  }

  async close(): Promise<void> {
    for (const folder of this.#folders.values()) await folder.close();
  }

  #targetOf(file: PlannedFile): Target {
    if ((file.content === null ? null : hashOf(file.content)) !== file.after) {
      throw refused(file, 'has another content in the plan than the plan says');
    }
    const place = patchPlace(file.path, this.#roots);
    if ('refused' in place) throw refused(file, place.refused);
    return { file, root: place.root, below: place.below };
  }

  /** Undefined when the folder is not there and none is to be made. */
  async #siteOf({ file, root, below }: Target, onMade?: OnMade): Promise<Site | undefined> {
    const known = this.#sites.find((site) => site.file === file);
    if (known) return known;
    const parent = path.posix.dirname(below);
    const folder = await this.#hold(file, root, parent, onMade);
    if (!folder) return undefined;
    const id = hashOf(`${this.#key} ${below}`).slice(0, 24);
    const name = path.posix.basename(below);
    const site = { file, folder, name, fresh: `.baton-${id}.new`, former: `.baton-${id}.old` };
    this.#sites.push(site);
    return site;
  }

  async #hold(file: PlannedFile, root: string, parent: string, onMade?: OnMade): Promise<HeldFolder | undefined> {
    const key = path.join(root, parent);
    const known = this.#folders.get(key);
    if (known) return known;
    const held = await tell(file, holdFolder(root, parent, onMade));
    if (held.type === 'refused') throw refused(file, held.because);
    if (held.type === 'missing') return undefined;
    this.#folders.set(key, held);
    return held;
  }

  async #sync(): Promise<void> {
    const folders = [...this.#folders.values()].map(({ place }) => place);
    const above = this.#made.map((folder) => path.dirname(folder));
    await Promise.all([...folders, ...new Set(above)].map(syncFolder));
  }
}

function withoutFolder(file: PlannedFile): Progress {
  if (file.after === null) return 'done';
  return file.before === null ? 'due' : { refused: CHANGED };
}

/** A failure together with the file that it is about. */
async function tell<T>(file: PlannedFile, deed: Promise<T>): Promise<T> {
  try {
    return await deed;
  } catch (problem) {
    if (problem instanceof SwapProblem) throw refused(file, problem.message);
    const { code = 'unknown failure' } = problem as NodeJS.ErrnoException;
    throw refused(file, `could not be written (${code})`);
  }
}

function refused({ path: file }: PlannedFile, because: string): Refused {
  return new Refused(`${file} ${because}`);
}
