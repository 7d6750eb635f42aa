import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BridgePrograms, Call, Start } from './bridge-programs.js';

export type Victim = 'handler' | 'orchestrator' | 'agent';
export type Kill = { victim: Victim; atMs: number };
export type Result = { language: string; agent: string; enhanced: string };

/** One folder from the first start to the result. */
export class BridgePlay {
  readonly dir: string;
  readonly name: string;
  readonly kills: Kill[] = [];
  /** An ask whose agent died twice is answered with an error, so each dies once at most. */
  readonly spared = new Set<string>();
  readonly done = { stale: 0, gone: 0 };
  hasEnded = false;
  private readonly programs: BridgePrograms;

  constructor(dir: string, programs: BridgePrograms) {
    this.dir = dir;
    this.name = path.basename(dir);
    this.programs = programs;
  }

  starts(): Start[] {
    return this.programs.started().filter(({ play }) => play === this.name);
  }

  calls(): Call[] {
    return this.programs.called().filter(({ handoff }) => this.isOf(handoff.split('/')[0] ?? ''));
  }

  isOf(run: string): boolean {
    return run.startsWith(`bridge-${this.name}-`);
  }

  result(): Result | null {
    try {
      return JSON.parse(readFileSync(path.join(this.dir, 'result.json'), 'utf8')) as Result;
    } catch {
      return null;
    }
  }

  files(): string[] {
    return readdirSync(this.dir).sort();
  }
}
