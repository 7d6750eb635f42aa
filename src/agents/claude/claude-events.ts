import type { EventReader, Said } from '../cli/dialect.js';
import { type Fields, fields, list, oneLine, text } from '../cli/fields.js';

/** `claude -p --output-format stream-json`. */
export function claudeReader(): EventReader {
  let thread: string | undefined;
  let answer: string | undefined;
  let failure: Said['failure'];
  let waits = false;
  return {
    read(event) {
      thread = text(event.session_id) || thread;
      switch (event.type) {
        case 'assistant':
          return list(fields(event.message).content).flatMap((part) => spoken(fields(part)));
        case 'user':
          return list(fields(event.message).content).flatMap((part) => seen(fields(part)));
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
    said: () => ({ thread, answer, failure, waits }),
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
    case 'tool_use': {
      const { command, file_path: file, pattern, url } = fields(part.input);
      if (typeof command === 'string') return [`$ ${oneLine(command)}`];
      return [`${text(part.name)} ${oneLine(text(file ?? pattern ?? url))}`.trim()];
    }
    default:
      return [];
  }
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
