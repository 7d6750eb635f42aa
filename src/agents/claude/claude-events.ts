import type { EventReader, Said } from '../cli/dialect.js';
import { type Fields, fields, list, oneLine, text } from '../cli/fields.js';
import { helperLine } from '../cli/log-lines.js';
import { Running } from '../cli/running.js';
import { ClaudeDeeds } from './claude-deeds.js';

/** `claude -p --output-format stream-json`. */
export function claudeReader(): EventReader {
  let thread: string | undefined;
  let answer: string | undefined;
  let failure: Said['failure'];
  let waits = false;
  const running = new Running();
  const deeds = new ClaudeDeeds();
  return {
    read(event) {
      thread = text(event.session_id) || thread;
      switch (event.type) {
        case 'assistant':
        case 'user': {
          const parts = list(fields(event.message).content).map(fields);
          // What others say is what a helper is told.
          const own = parts.filter(({ type }) => event.type === 'assistant' || type === 'tool_result');
          const lines = own.flatMap((part) => {
            const told = deeds.lines(part);
            if (part.type === 'tool_use') running.begin(text(part.id), plainDeed(told));
            if (part.type === 'tool_result') running.end(text(part.tool_use_id));
            return told;
          });
          return event.parent_tool_use_id ? lines.map(helperLine) : lines;
        }
        case 'result': {
          const { is_error: isError, subtype, result, structured_output: structured } = event;
          waits = event.stop_reason === 'tool_deferred';
          const words = structured ? JSON.stringify(structured) : text(result);
          if (isError || subtype !== 'success') {
            failure = { kind: 'crash', reason: troubleOf(event) };
            return [`failed: ${oneLine(failure.reason)}`];
          }
          answer = words;
          return [];
        }
        default:
          return [];
      }
    },
    said: () => ({ thread, answer, failure, waits, running: running.last }),
  };
}

/** What was begun, as a person is told of it. */
function plainDeed([line = '']: readonly string[]): string {
  return line.replace(/^\$ /, '');
}

/** It calls even an error of its provider a success of its own. */
function troubleOf({ subtype, result, errors }: Fields): string {
  const words = text(result) || text(list(errors)[0]);
  return [subtype === 'success' ? '' : text(subtype), words].filter(Boolean).join(': ') || 'the turn failed';
}
