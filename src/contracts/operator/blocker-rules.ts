import { isErrorCode } from '../shared/errors.js';
import { type Denial, deny } from '../shared/verdict.js';

/** Codes come from the error catalogue; an invented one tells nobody what to do. */
export function knownCodes(blockers: readonly { code: string }[], path: string): true | Denial {
  const index = blockers.findIndex(({ code }) => !isErrorCode(code));
  return index === -1 || unknownCode((blockers[index] as { code: string }).code, `${path}/${index}/code`);
}

export function unknownCode(code: string, path: string): Denial {
  return deny('SCHEMA_INVALID', `${path} ${JSON.stringify(code.slice(0, 60))} is not in the error catalogue`, { path });
}
