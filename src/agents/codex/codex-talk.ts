import path from 'node:path';
import type { Wanted } from '../../core/kernel/effect.js';
import type { Permits } from '../approvals/permit.js';
import type { EventReader, Said, Turn, Voice } from '../cli/dialect.js';
import { type Fields, fields, list, oneLine, text } from '../cli/fields.js';
import { commandLine, endLine, helperLine, spokenLine, withoutShell } from '../cli/log-lines.js';
import { Running } from '../cli/running.js';
import { troubleOf } from './codex-events.js';

const CLIENT = { name: 'baton', title: 'Baton', version: '1' };
const STEPS = ['initialize', 'thread', 'turn'] as const;

/**
 * `codex app-server`: one conversation over stdin and stdout, in which it asks before every command it does not know to
 * be harmless. A question that only a person can answer ends it; it is asked again when the conversation goes on.
 */
export class CodexTalk implements EventReader {
  private readonly turn: Turn;
  private readonly permits: Permits;
  private voice: Voice | undefined;
  private thread: string | undefined;
  private last: string | undefined;
  private ended = false;
  private failure: Said['failure'];
  private wanted: Wanted | undefined;
  private readonly running = new Running();
  /** Files of changes it has told of, by item. */
  private readonly changes = new Map<string, readonly string[]>();

  constructor(turn: Turn, permits: Permits) {
    this.turn = turn;
    this.permits = permits;
  }

  begin(voice: Voice): void {
    this.voice = voice;
    this.call('initialize', 'initialize', { clientInfo: CLIENT });
  }

  read(message: Fields): string[] {
    if (message.method === undefined) return this.answered(message);
    const params = fields(message.params);
    if (message.id !== undefined) {
      // What cannot be judged is not done.
      this.decide(message.id, text(message.method), params).catch(() => this.decline(message.id));
      return [];
    }
    return this.told(text(message.method), params);
  }

  said(): Said {
    const { thread, failure, wanted } = this;
    const answer = this.ended ? this.last : undefined;
    return { thread, answer, failure, waits: wanted !== undefined, wanted, running: this.running.last };
  }

  private answered({ id, error, result }: Fields): string[] {
    if (error) {
      this.failure = { kind: 'crash', reason: text(fields(error).message) || `${text(id)} failed` };
      this.voice?.end();
      return [`failed: ${oneLine(this.failure.reason)}`];
    }
    if (id === STEPS[0]) this.openThread();
    if (id === STEPS[1]) this.openTurn(text(fields(fields(result).thread).id));
    return [];
  }

  private openThread(): void {
    const { held, spec, thread } = this.turn;
    this.voice?.send({ method: 'initialized' });
    const sandbox = held ? 'danger-full-access' : spec.sandbox;
    const common = { approvalPolicy: 'untrusted', sandbox, modelProvider: 'baton' };
    const model = spec.model === undefined ? {} : { model: spec.model };
    if (thread === undefined) this.call('thread', 'thread/start', { ...common, ...model });
    else this.call('thread', 'thread/resume', { threadId: thread, excludeTurns: true, ...common, ...model });
  }

  private openTurn(thread: string): void {
    this.thread = thread;
    const input = [{ type: 'text', text: this.turn.prompt }];
    this.call('turn', 'turn/start', {
      threadId: thread,
      input,
      ...(this.turn.form && { outputSchema: this.turn.form }),
    });
  }

  private told(method: string, params: Fields): string[] {
    const item = fields(params.item);
    if (method === 'item/started' && item.type === 'fileChange') this.changes.set(text(item.id), pathsOf(item));
    if (method === 'item/started' && item.type === 'commandExecution') {
      this.running.begin(text(item.id), withoutShell(text(item.command)));
    }
    if (method === 'item/completed') this.running.end(text(item.id));
    // What a helper says is no answer, and its end is not the end.
    const { threadId = this.thread } = params;
    if (threadId !== this.thread) return lineOf(method, item).map(helperLine);
    switch (method) {
      case 'item/completed':
        if (item.type === 'agentMessage') this.last = text(item.text);
        return lineOf(method, item);
      case 'turn/completed': {
        const turn = fields(params.turn);
        if (turn.status === 'failed') {
          this.failure = { kind: 'crash', reason: troubleOf(text(fields(turn.error).message)) };
        }
        this.ended = true;
        this.voice?.end();
        return this.failure ? [`failed: ${oneLine(this.failure.reason)}`] : [];
      }
      case 'error':
        return [`trouble: ${oneLine(troubleOf(text(fields(params.error).message)))}`];
      default:
        return lineOf(method, item);
    }
  }

  private async decide(id: unknown, method: string, params: Fields): Promise<void> {
    const asked = this.wantedBy(method, params);
    if (!asked) {
      this.voice?.send({ id, error: { code: -32601, message: 'there is nobody who could answer this' } });
      return;
    }
    const permit = await this.permits.permit(asked);
    if (permit.decision === 'ask') {
      this.wanted = permit.wanted;
      this.voice?.stop();
      return;
    }
    if (permit.decision === 'deny') return this.decline(id);
    this.voice?.send({ id, result: { decision: 'accept' } });
  }

  private decline(id: unknown): void {
    this.voice?.send({ id, result: { decision: 'decline' } });
  }

  private wantedBy(method: string, params: Fields): Pick<Wanted, 'kind' | 'what' | 'cwd'> | undefined {
    const cwd = text(params.cwd);
    if (method === 'item/commandExecution/requestApproval') {
      const [action, more] = list(params.commandActions).map((one) => text(fields(one).command));
      return { kind: 'exec', what: action && more === undefined ? action : text(params.command), cwd };
    }
    if (method !== 'item/fileChange/requestApproval') return undefined;
    return {
      kind: 'patch',
      what: (this.changes.get(text(params.itemId)) ?? []).map((file) => path.resolve(cwd, file)).join('\n'),
      cwd,
    };
  }

  private call(id: (typeof STEPS)[number], method: string, params: object): void {
    this.voice?.send({ id, method, params });
  }
}

function pathsOf(item: Fields): string[] {
  return list(item.changes).map((change) => text(fields(change).path));
}

function lineOf(method: string, item: Fields): string[] {
  if (method === 'item/started') return item.type === 'commandExecution' ? [commandLine(text(item.command))] : [];
  return method === 'item/completed' ? completed(item) : [];
}

function completed(item: Fields): string[] {
  switch (item.type) {
    case 'agentMessage':
      return spokenLine('says', item.text);
    case 'reasoning':
      return spokenLine('thinks', list(item.summary).map(text).join('\n'));
    case 'commandExecution':
      return [endLine(`exit ${String(item.exitCode)}`, text(item.aggregatedOutput))];
    case 'fileChange':
      return pathsOf(item).map((file) => `edits ${oneLine(file)}`);
    case 'collabAgentToolCall':
      return item.tool === 'wait' ? ['waits for its helpers'] : [];
    case 'subAgentActivity':
      return [helperLine(`${oneLine(text(item.kind))} ${oneLine(text(item.agentPath))}`.trim())];
    default:
      return [];
  }
}
