import { plainText } from '../../agents/process/plain-text.js';
import { readJson } from '../../contracts/shared/read-json.js';
import { failure, type ToolFailure } from '../tool.js';

const TRY_AGAIN_LATER = 75; // EX_TEMPFAIL
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
const TAIL_LINES_MAX = 5;
const TAIL_CHARS_MAX = 1_000;

/** What the exit code of a program says; undefined when it says that all is well. */
export function exitFailure(name: string, exitCode: number | null, stderr: string): ToolFailure | undefined {
  const said = tailOf(stderr);
  const details = { exit_code: exitCode, ...(said !== '' && { stderr: said }) };
  const because = said === '' ? '' : `: ${said}`;
  switch (exitCode) {
    case 0:
      return undefined;
    case NOT_EXECUTABLE:
    case NOT_FOUND:
      return failure('ToolNotFound', `${name} could not be started${because}`, { details });
    case TRY_AGAIN_LATER:
      return failure('ToolError', `${name} asks to be run again later${because}`, { details });
    default:
      return failure('ToolError', `${name} ended with ${exitCode ?? 'a signal'}${because}`, { details });
  }
}

function tailOf(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map((line) => plainText(line).trim());
  const last = lines.filter((line) => line !== '').slice(-TAIL_LINES_MAX);
  return last
    .join('\n')
    .slice(-TAIL_CHARS_MAX)
    .replace(/^[\udc00-\udfff]/, '');
}

/** One JSON value, or else the text as it is. */
export function answeredValue(text: string): unknown {
  const read = readJson(text);
  return 'value' in read ? read.value : text;
}

export function tookTooLong(name: string, seconds: number): ToolFailure {
  return failure(
    'ToolTimeout',
    `${name} took longer than ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and was ended`,
  );
}
