// The peer: a LangGraph.js graph of no-op nodes with its own SQLite saver, as its documentation sets it up.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const TOOLS = fileURLToPath(new URL('../../test/tools/', import.meta.url));
const DRIVER = 'better-sqlite3';
const require = createRequire(path.join(TOOLS, 'package.json'));

/** Answers with the peer, or with why it cannot be had. `synced` makes it as durable as Baton: each commit is synced. */
export async function openLangGraph(file, steps, { synced = false } = {}) {
  try {
    compileDriver();
    const { Annotation, END, START, StateGraph } = await load('@langchain/langgraph');
    const { SqliteSaver } = await load('@langchain/langgraph-checkpoint-sqlite');
    const saver = SqliteSaver.fromConnString(file);
    let graph = new StateGraph(Annotation.Root({ done: Annotation() }));
    const names = Array.from({ length: steps }, (_, index) => `step${index + 1}`);
    for (const name of names) graph = graph.addNode(name, async () => ({ done: name }));
    for (const [index, name] of names.entries()) graph = graph.addEdge(index === 0 ? START : names[index - 1], name);
    const compiled = graph.addEdge(names.at(-1), END).compile({ checkpointer: saver });
    await compiled.invoke({ done: '' }, { configurable: { thread_id: randomUUID() } }); // its saver sets itself up then
    if (synced) saver.db.pragma('synchronous = FULL');
    return { peer: new LangGraph(compiled, saver, steps) };
  } catch (failure) {
    return { skipped: String(failure.message).split('\n')[0] };
  }
}

class LangGraph {
  #graph;
  #saver;
  #steps;

  constructor(graph, saver, steps) {
    this.#graph = graph;
    this.#saver = saver;
    this.#steps = steps;
  }

  /** Its saver's own setting; with 1 (NORMAL) a commit may be lost when the power fails, with 2 (FULL) it is synced. */
  get synchronous() {
    return this.#saver.db.pragma('synchronous', { simple: true });
  }

  async stepRate({ workflows, atOnce }) {
    let left = workflows;
    const last = `step${this.#steps}`;
    const started = process.hrtime.bigint();
    const work = async () => {
      while (left > 0) {
        left -= 1;
        const { done } = await this.#graph.invoke({ done: '' }, { configurable: { thread_id: randomUUID() } });
        if (done !== last) throw new Error(`a graph ended at ${done}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return ((workflows * this.#steps) / Number(process.hrtime.bigint() - started)) * 1e9;
  }

  close() {
    this.#saver.db.close();
  }
}

/** Install scripts are never run, so its native part is compiled when it is first wanted: about a minute. */
function compileDriver() {
  const Database = require(DRIVER);
  try {
    new Database(':memory:').close();
  } catch {
    console.error(`compiling ${DRIVER} for the peer …`);
    const options = { cwd: TOOLS, stdio: ['ignore', 'ignore', 'inherit'] };
    execFileSync('npm', ['rebuild', DRIVER, '--foreground-scripts', '--loglevel=error'], options);
    new Database(':memory:').close();
  }
}

function load(name) {
  return import(pathToFileURL(require.resolve(name)).href);
}
