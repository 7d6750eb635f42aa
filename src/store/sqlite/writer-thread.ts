import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BatonError } from '../../contracts/shared/errors.js';
import {
  fromPlainFailure,
  fromReply,
  type ThreadReply,
  type ThreadRequest,
  type ThreadStart,
} from './thread-messages.js';
import { type OnNews, TickQueue } from './tick-queue.js';
import type { Committed, Writer, WriteTask } from './write-tasks.js';

/**
 * Writes on a thread of its own, so that a slow disk does not stop the event loop.
 *
 * T1 One request is under way at a time; the reply belongs to it.
 * T2 When the thread dies, what was under way is unknown and everything after is refused: the store is dead.
 * T3 The thread keeps the process alive only while it owes an answer.
 */
export async function createThreadWriter(options: {
  home: string;
  onNews: OnNews;
  onDeath: (failure: Error) => void;
  /** Where the thread's code is, when it is not built beside this file. */
  workerUrl?: URL;
}): Promise<Writer> {
  const start: ThreadStart = { home: options.home };
  const thread = new Worker(options.workerUrl ?? new URL('./writer-worker.js', import.meta.url), { workerData: start });
  const [first] = (await once(thread, 'message')) as [ThreadReply];
  if (first.type === 'unable') throw fromPlainFailure(first.failure);
  thread.unref();
  const line = new ThreadLine(thread, options.onDeath);
  const queue = new TickQueue((tasks) => line.commit(tasks), options.onNews);
  return {
    write: (name, args) => queue.write(name, args),
    async close() {
      await queue.close();
      await line.close();
    },
  };
}

class ThreadLine {
  readonly #thread: Worker;
  readonly #onDeath: (failure: Error) => void;
  #answer: ((committed: Committed | Error) => void) | undefined;
  #dead: Error | undefined;
  #closing = false;

  constructor(thread: Worker, onDeath: (failure: Error) => void) {
    this.#thread = thread;
    this.#onDeath = onDeath;
    thread.on('message', (reply: ThreadReply) => {
      if (reply.type === 'committed') this.#answer?.(fromReply(reply));
    });
    thread.on('error', (failure) => this.#die(failure.message));
    thread.on('exit', (code) => this.#die(`exit ${code}`));
  }

  async commit(tasks: readonly WriteTask[]): Promise<Committed> {
    const answer = this.#dead ?? (await this.#ask(tasks));
    if (!(answer instanceof Error)) return answer;
    return { outcomes: tasks.map(() => ({ failure: answer })), news: false };
  }

  async close(): Promise<void> {
    if (this.#dead) return;
    this.#closing = true;
    this.#thread.ref();
    const ended = once(this.#thread, 'exit');
    this.#send({ type: 'close' });
    await ended;
  }

  #ask(tasks: readonly WriteTask[]): Promise<Committed | Error> {
    this.#thread.ref();
    return new Promise((resolve) => {
      this.#answer = (answer) => {
        this.#answer = undefined;
        this.#thread.unref();
        resolve(answer);
      };
      try {
        this.#send({ type: 'commit', tasks });
      } catch (failure) {
        this.#answer(failure instanceof Error ? failure : new Error(String(failure))); // what cannot be copied
      }
    });
  }

  #send(request: ThreadRequest): void {
    this.#thread.postMessage(request);
  }

  #die(why: string): void {
    if (this.#dead || this.#closing) return;
    this.#dead = new BatonError('STORE_FAILED', `the writer thread of the store ended (${why})`);
    this.#onDeath(this.#dead);
    this.#answer?.(this.#dead);
  }
}
