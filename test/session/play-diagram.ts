import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionClient } from '../../src/engine/session/session-client.js';
import type { WireEvent } from '../../src/engine/session/session-desk.js';
import { startModelServer } from '../../src/testing/index.js';
import { openBaton } from '../../src/wiring.js';
import type { Beat, Diagram } from './diagrams.js';
import { hostOptions, TOKEN, type WayIn } from './transports/ways-in.js';

type Line = { from: 'client' | 'baton'; message: object };

/** Plays a diagram on the real engine, over one transport; gives back everything that was said, in its order. */
export async function playDiagram(diagram: Diagram, way: WayIn): Promise<Line[]> {
  // Not in the folder for temporary files, which a sandbox does not show.
  const root = realpathSync(mkdtempSync(path.join(import.meta.dirname, '.stage-')));
  const [home, cwd] = [path.join(root, 'home'), mkdtempSync(path.join(root, 'project-'))];
  writeFileSync(path.join(cwd, 'one.txt'), 'one\n');
  writeFileSync(path.join(cwd, 'two.txt'), 'two\n');
  const model = await startModelServer(diagram.model);
  const env = { PATH: process.env.PATH, OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'scripted' };
  const baton = await openBaton({ home, cwd, env, writer: 'main', drives: true });
  const opened = await way.start(hostOptions(baton.sessions));
  try {
    const client = await opened.open(way.needsToken ? TOKEN : undefined);
    return await played(client, diagram.beats, cwd);
  } finally {
    await opened.close();
    await baton.close();
    await model.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function played(client: SessionClient, beats: readonly Beat[], cwd: string): Promise<Line[]> {
  const said: Line[] = [];
  const events = client.events[Symbol.asyncIterator]();
  const known = { $cwd: cwd, $call: '', $response: '' };
  for (const beat of beats) {
    if ('send' in beat) {
      const message = filled(beat.send, known);
      said.push({ from: 'client', message });
      await client.submit(message);
      continue;
    }
    for (;;) {
      const { value, done } = await events.next();
      if (done) throw new Error(`the connection ended before ${beat.until}`);
      const { id, msg } = value as WireEvent;
      if (msg.type.endsWith('_delta') || msg.type === 'authenticated') continue;
      said.push({ from: 'baton', message: value });
      if (msg.type.endsWith('_approval_request')) known.$call = String((msg as { call_id?: string }).call_id);
      if (msg.type === 'turn_complete') known.$response = String((msg as { response_id?: string }).response_id);
      if (msg.type === beat.until) break;
      if (msg.type === 'error' && id !== '') throw new Error(JSON.stringify(msg));
    }
  }
  client.close();
  return said;
}

function filled(message: object, known: Readonly<Record<string, string>>): object {
  const fill = (_: string, value: unknown) => (typeof value === 'string' ? (known[value] ?? value) : value);
  return JSON.parse(JSON.stringify(message), fill) as object;
}

const UNLIKE: readonly [RegExp, string][] = [
  [/"[^"]*\/\.stage-[^"]*\/project-[^"/]*/g, '"/srv/project'],
  [/"(session_id|history_log_id)":"[^"]*"/g, '"$1":"project-k3x9ab"'],
  [/"hash":"[0-9a-f]{64}"/g, '"hash":"5f2b…"'],
  [/"duration_ms":\d+/g, '"duration_ms":12'],
  [/"(\w+_tokens|total_tokens)":\d+/g, '"$1":0'],
  [/"cost_usd":[\d.e-]+/g, '"cost_usd":0'],
];

/** Without what is different each time. Responses are numbered as they come. */
export function transcriptOf(said: readonly Line[]): string {
  const responses = new Map<string, string>();
  const numbered = (id: string): string => {
    if (!responses.has(id)) responses.set(id, `resp_${responses.size + 1}`);
    return responses.get(id) ?? id;
  };
  const lines = said.map(({ from, message }) => {
    const text = UNLIKE.reduce((line, [what, by]) => line.replace(what, by), JSON.stringify(message));
    return `${from === 'client' ? '→' : '←'} ${text.replace(/resp_[0-9a-z_]+/g, numbered)}`;
  });
  return `${lines.join('\n')}\n`;
}
