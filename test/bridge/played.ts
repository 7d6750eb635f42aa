import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ask, Bridge, BridgeOptions } from '../../src/bridge/bridge.js';
import { openBridge } from '../../src/bridge/open-bridge.js';
import {
  REJECTED_FILE,
  REQUEST_FILE,
  RESPONSE_FILE,
  STATE_FILE,
} from '../../src/contracts/bridge/bridge-file-names.js';
import { createBridgeResponse } from '../../src/contracts/bridge/create-bridge-response.js';
import type { BridgeResponse } from '../../src/contracts/generated/types/bridge-response.js';
import type { CheckpointState } from '../../src/contracts/generated/types/checkpoint-state.js';

class Ended extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`ended with ${code}`);
    this.code = code;
  }
}

export const PROMPT =
  'Look at the files of this project and say in one JSON object what it is made of, and how sure you are.';
export const ANALYSIS = {
  phase: 1,
  phase_name: 'codebase_analysis',
  agent_name: 'architectural-reviewer',
  prompt: PROMPT,
};
export const AT = '2025-11-18T10:31:45Z';

/** One start of a program that ended at a checkpoint, came to its end, or threw. */
export type Start<T> = { code: 42 } | { value: T } | { thrown: unknown };

/** A folder with an orchestrator whose starts are calls, and a handler that is the test. */
export class Played {
  readonly dir: string;
  readonly lines: string[] = [];

  constructor(dir: string = newFolder()) {
    this.dir = dir;
  }

  async start<T>(program: (bridge: Bridge) => Promise<T>, options: BridgeOptions = {}): Promise<Start<T>> {
    const exit = (code: number) => {
      throw new Ended(code);
    };
    const log = (line: string) => this.lines.push(line);
    try {
      return { value: await program(openBridge({ dir: this.dir, resume: false, exit, log, ...options })) };
    } catch (thrown) {
      return thrown instanceof Ended ? { code: thrown.code as 42 } : { thrown };
    }
  }

  resume<T>(program: (bridge: Bridge) => Promise<T>, options: BridgeOptions = {}): Promise<Start<T>> {
    return this.start(program, { resume: true, ...options });
  }

  file(name: string): string {
    return path.join(this.dir, name);
  }

  has(name: string): boolean {
    return existsSync(this.file(name));
  }

  text(name: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  write(name: string, content: unknown): void {
    writeFileSync(this.file(name), typeof content === 'string' ? content : JSON.stringify(content));
  }

  get request(): Record<string, unknown> & { request_id: string } {
    return JSON.parse(this.text(REQUEST_FILE));
  }

  get state(): CheckpointState {
    return JSON.parse(this.text(STATE_FILE));
  }

  get files(): string[] {
    return [REQUEST_FILE, RESPONSE_FILE, STATE_FILE, REJECTED_FILE].filter((name) => this.has(name));
  }

  /** Answers the request that is waiting. */
  respond(response: string | Partial<BridgeResponse>): void {
    const fields = typeof response === 'string' ? { response } : response;
    const { request_id } = this.request;
    this.write(RESPONSE_FILE, createBridgeResponse({ request_id, status: 'success', created_at: AT, ...fields }));
  }
}

/** Gone after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'baton-bridge-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A program that asks once and returns what it got. */
export function asksOnce<T = string>(more: Partial<Ask<T>> = {}) {
  return (bridge: Bridge) => bridge.ask<T>({ ...ANALYSIS, ...more });
}
