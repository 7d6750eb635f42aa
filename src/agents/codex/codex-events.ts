import type { EventReader, Said } from '../cli/dialect.js';
import { type Fields, fields, list, objectOf, oneLine, text } from '../cli/fields.js';
import { commandLine, endLine, spokenLine, withoutShell } from '../cli/log-lines.js';
import { Running } from '../cli/running.js';

/** `codex exec --json`. Its figures are sums of the whole conversation, so they are not read: the proxy counts. */
export function codexReader(): EventReader {
  let thread: string | undefined;
  let last: string | undefined;
  let ended = false;
  let failure: Said['failure'];
  const running = new Running();
  return {
    read(event) {
      switch (event.type) {
        case 'thread.started':
          thread = text(event.thread_id) || undefined;
          return [];
        case 'turn.completed':
          ended = true;
          return [];
        case 'turn.failed':
          failure = { kind: 'crash', reason: troubleOf(text(fields(event.error).message)) };
          return [`failed: ${oneLine(failure.reason)}`];
        case 'error':
          // It tries again by itself; whether that helped is said at the end.
          return [`trouble: ${oneLine(troubleOf(text(event.message)))}`];
        case 'item.started': {
          const item = fields(event.item);
          if (item.type === 'command_execution') running.begin(text(item.id), withoutShell(text(item.command)));
          return started(item);
        }
        case 'item.completed': {
          const item = fields(event.item);
          running.end(text(item.id));
          if (item.type === 'agent_message') last = text(item.text);
          return completed(item);
        }
        default:
          return [];
      }
    },
    said: () => ({ thread, answer: ended ? last : undefined, failure, waits: false, running: running.last }),
  };
}

/** What a provider said is passed on as it came, which may be a whole object. */
export function troubleOf(message: string): string {
  return text(fields(objectOf(message).error).message) || message || 'the turn failed';
}

function started(item: Fields): string[] {
  return item.type === 'command_execution' ? [commandLine(text(item.command))] : [];
}

function completed(item: Fields): string[] {
  switch (item.type) {
    case 'agent_message':
      return spokenLine('says', item.text);
    case 'reasoning':
      return spokenLine('thinks', item.text);
    case 'command_execution':
      return [endLine(`exit ${String(item.exit_code)}`, text(item.aggregated_output))];
    case 'file_change':
      return list(item.changes).map((change) => `edits ${oneLine(text(fields(change).path))}`);
    case 'collab_tool_call':
      return [item.tool === 'wait' ? 'waits for its helpers' : `helpers: ${oneLine(text(item.tool))}`];
    case 'error':
      return [`trouble: ${oneLine(text(item.message))}`];
    default:
      return [`${text(item.type).replaceAll('_', ' ')} ${oneLine(text(item.query ?? item.tool ?? item.name))}`.trim()];
  }
}
