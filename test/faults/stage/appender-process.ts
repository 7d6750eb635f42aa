import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AppenderOrder } from '../programs/orders.js';
import type { Programs } from './build-programs.js';
import { ProgramProcess } from './program-process.js';

export type Appended = {
  process: ProgramProcess;
  acknowledged: Map<string, string>;
  /** Codes it failed with, and failures without one. */
  errors: string[];
  untyped: string[];
};

/** Starts the appender, if need be behind another program, and writes down what it acknowledges. */
export function startAppender(
  programs: Programs,
  folder: string,
  order: Omit<AppenderOrder, 'writerUrl' | 'speed' | 'originMs' | 'token'>,
  behind: readonly string[] = [],
): Appended {
  const file = path.join(folder, `${order.name}.json`);
  const full: AppenderOrder = { ...order, writerUrl: programs.writerUrl, speed: 1, originMs: 0, token: 'appender' };
  writeFileSync(file, JSON.stringify(full));
  const acknowledged = new Map<string, string>();
  const errors: string[] = [];
  const untyped: string[] = [];
  const [program = process.execPath, ...args] = [...behind, process.execPath, programs.appender, file];
  const started = new ProgramProcess(order.name, [program, ...args], (verb, rest) => {
    const [key = '', run = ''] = rest.split(' ');
    if (verb === 'ack') acknowledged.set(key, run);
    if (verb === 'error') errors.push(key);
    if (verb === 'untyped') untyped.push(rest);
  });
  return { process: started, acknowledged, errors, untyped };
}
