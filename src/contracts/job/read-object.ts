import { isObject } from '../shared/is-object.js';
import { BYTES_MAX, readJson } from '../shared/read-json.js';
import type { Denial } from '../shared/verdict.js';
import { takeObject } from './take-object.js';

/** `violation` says what stood around the object, `reason` why there is none; both are sentences. */
export type ObjectRead = ({ value: object } | { reason: string }) & { violation: string | null };

/** The one JSON object in what an agent says: all of it, or the only one in other text. */
export function readObject(text: string): ObjectRead {
  const whole = readJson(text);
  if ('value' in whole && isObject(whole.value)) return { value: whole.value, violation: null };
  if ('denial' in whole && whole.denial.code === 'PAYLOAD_TOO_LARGE') {
    return { reason: whyUnread(whole.denial), violation: null };
  }
  const taken = takeObject(text);
  if ('problem' in taken) return { reason: taken.problem, violation: null };
  const object = readJson(taken.text);
  // What is the whole text has nothing around it, even when it cannot be read.
  const violation = 'denial' in object && text.trim() === taken.text ? null : taken.violation;
  return 'denial' in object
    ? { reason: whyUnread(object.denial), violation }
    : { value: object.value as object, violation };
}

export function whyUnread({ code, reason, details }: Denial): string {
  return code === 'PAYLOAD_TOO_LARGE'
    ? `the answer has ${details?.bytes} bytes; at most ${BYTES_MAX} are read`
    : reason;
}
