import type { BodyRef, Usage } from '../core/kernel/effect.js';
import type { Ports, SealedBody } from '../engine/ports.js';
import { sealBody } from '../engine/seal.js';
import type { Confinements } from './confinement.js';
import { Git } from './git.js';
import { type JobFolder, type JobRefs, jobFolder, jobRefs } from './job-folder.js';
import type { Errand } from './run-gated.js';

export type Commits = {
  /** The commit of a recovery point of another job; null when it has none. */
  commitOf?: (job: string, point: string) => Promise<string | null>;
  /** Hash of the run's last event, for the commit message. */
  headOf?: (run: string) => Promise<string | null>;
};

export type WorkspaceOptions = Commits &
  Pick<Ports, 'clock' | 'scrub' | 'hasher'> & {
    home: string;
    /** What setup and checks may reach; absent leaves them the rights of this process. */
    confinements?: Pick<Confinements, 'check' | 'holding' | 'setup' | 'setupRights'>;
    /** Values in the text of a file of settings that must not be stored. */
    secretsIn(text: string): readonly string[];
    gate: Errand['gate'];
    environment: NodeJS.ProcessEnv;
  };

/** One deed of one run while it is done: who does it, where, and what it has to say. */
export class Deed {
  readonly folder: JobFolder;
  readonly refs: JobRefs;
  readonly git: Git;
  readonly bodies: SealedBody[] = [];
  /** Of the answer it is about, once that is read. */
  reported: Usage | null = null;
  readonly options: WorkspaceOptions;
  readonly errand: Errand;
  readonly sinceMs: number;
  /** The job it is about. */
  readonly run: string;

  /** `job` is whose folder and branch are meant, when that is not the run that does it. */
  constructor(options: WorkspaceOptions, doing: Pick<Errand, 'held' | 'key' | 'signal'> & { job?: string }) {
    const { home, gate, clock, environment } = options;
    this.options = options;
    const { job = doing.held.run, ...errand } = doing;
    this.errand = { gate, clock, ...errand };
    this.sinceMs = clock.nowMs();
    this.run = job;
    this.folder = jobFolder(home, job);
    this.refs = jobRefs(job);
    this.git = new Git(this.errand, environment);
  }

  /** The same, but nothing of it is ended when the deed is called off. */
  unstoppable(): Deed {
    const { held, key } = this.errand;
    return new Deed(this.options, { held, key, signal: new AbortController().signal, job: this.run });
  }

  seal(text: string): BodyRef {
    const { ref, body } = sealBody(this.options, text);
    this.bodies.push(body);
    return ref;
  }
}
