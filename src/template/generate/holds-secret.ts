import { maskNamedValues } from '../analysis/mask-named-values.js';
import { isCode, languageOf } from '../project/languages.js';

/** Whether a file must never become a part of a template: what a prompt would show masked is not copied in the clear. */
export function holdsSecret(path: string, text: string, scrub: (text: string) => string): boolean {
  return scrub(text) !== text || maskNamedValues(text, isCode(languageOf(path))) !== text;
}
