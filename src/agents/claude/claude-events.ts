import type { EventReader, Said } from '../cli/dialect.js';
import { type Fields, fields, list, oneLine, text } from '../cli/fields.js';
import { Running } from '../cli/running.js';

/** `claude -p --output-format stream-json`. */
export function claudeReader(): EventReader {
  let thread: string | undefined;
  let answer: string | undefined;
  let failure: Said['failure'];
  let waits = false;
  const running = new Running();
  return {
    read(event) {
      thread = text(event.session_id) || thread;
      switch (event.type) {
        case 'assistant': {
          const parts = list(fields(event.message).content).map(fields);
          for (const part of parts) if (part.type === 'tool_use') running.begin(text(part.id), deedOf(part));
          return parts.flatMap(spoken);
        }
        case 'user': {
          const parts = list(fields(event.message).content).map(fields);
          for (const part of parts) running.end(text(part.tool_use_id));
          return parts.flatMap(seen);
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

/** It calls even an error of its provider a success of its own. */
function troubleOf({ subtype, result, errors }: Fields): string {
  const words = text(result) || text(list(errors)[0]);
  return [subtype === 'success' ? '' : text(subtype), words].filter(Boolean).join(': ') || 'the turn failed';
}

function spoken(part: Fields): string[] {
  switch (part.type) {
    case 'text':
      return [`says: ${oneLine(text(part.text))}`];
    case 'thinking':
      return [`thinks: ${oneLine(text(part.thinking))}`];
    case 'tool_use':
      return [isCommand(part) ? `$ ${deedOf(part)}` : deedOf(part)];
    default:
      return [];
  }
}

const isCommand = ({ input }: Fields): boolean => typeof fields(input).command === 'string';

/** What a tool is called for, on one line. */
function deedOf(part: Fields): string {
  const { command, file_path: file, pattern, url } = fields(part.input);
  if (isCommand(part)) return oneLine(text(command));
  return `${text(part.name)} ${oneLine(text(file ?? pattern ?? url))}`.trim();
}

function seen(part: Fields): string[] {
  if (part.type !== 'tool_result') return [];
  const words =
    typeof part.content === 'string'
      ? part.content
      : list(part.content)
          .map((one) => text(fields(one).text))
          .join(' ');
  return [`  ${part.is_error ? 'failed' : 'done'}: ${oneLine(words)}`];
}
