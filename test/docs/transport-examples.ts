import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WireEvent } from '../../src/engine/session/session-desk.js';
import { ROOT } from '../cli/run-bin.js';

/** One transport of docs/contracts/sessions.md: how it is begun, what is asked for, what goes each way. */
export type TransportExample = {
  command: string[];
  method?: string;
  path?: string;
  headers: Record<string, string>;
  steps: { way: '>' | '<'; text: string }[];
};

const PAGE = readFileSync(path.join(ROOT, 'docs/contracts/sessions.md'), 'utf8');
const BLOCK = /^### (.+)\n(?:(?!^#)[\s\S])*?^```text\n([\s\S]*?)^```$/gm;

/** By the heading they stand under. */
export const TRANSPORT_EXAMPLES: ReadonlyMap<string, TransportExample> = new Map(
  [...PAGE.matchAll(BLOCK)].map(([, title = '', block = '']) => [title, exampleIn(block)]),
);

function exampleIn(block: string): TransportExample {
  const parts = block.trim().split('\n\n');
  const [command = '', lines = ''] = [parts[0], parts.at(-1)];
  const [request, ...fields] = parts.length === 3 ? (parts[1] ?? '').split('\n') : [];
  const [method, where] = request?.split(' ') ?? [];
  return {
    command: command.split(' ').slice(1),
    ...(method !== undefined && { method }),
    ...(where !== undefined && { path: where }),
    headers: Object.fromEntries(fields.map((field) => field.split(': ') as [string, string])),
    steps: lines.split('\n').map((line) => ({ way: line[0] as '>' | '<', text: line.slice(2) })),
  };
}

/** An example with a token that counts and a folder that is there. */
export function filledIn(example: TransportExample, token: string, folder: string): TransportExample {
  const filled = JSON.stringify(example).replaceAll('TOKEN', token).replaceAll('/srv/parcel', folder);
  return JSON.parse(filled) as TransportExample;
}

export type Spoken = { send(text: string): void; next(): Promise<WireEvent> };

/** Says what the client says and answers with what was shown and what came; only names and kinds are compared. */
export async function speak(
  { steps }: TransportExample,
  { send, next }: Spoken,
): Promise<[shown: unknown, came: unknown][]> {
  const pairs: [unknown, unknown][] = [];
  for (const { way, text } of steps) {
    if (way === '>') send(text);
    else {
      const shown = JSON.parse(text) as WireEvent;
      pairs.push([shapeOf(shown, shown), shapeOf(await next(), shown)]);
    }
  }
  return pairs;
}

function shapeOf({ id, seq, msg }: WireEvent, shown: WireEvent) {
  const fields = Object.keys(shown.msg).filter((name) => Object.hasOwn(msg, name));
  return { id, hasSeq: seq !== undefined, type: msg.type, fields };
}
