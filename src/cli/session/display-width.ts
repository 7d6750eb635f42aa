/** Marks that stand on the character before them, and what joins two to one. */
const ON_TOP = /^(?:\p{Mn}|\p{Me}|\u200d)$/u;
/** What takes two columns on every usual terminal: East Asian scripts, full-width forms and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
const PLAIN = /^[\u0020-\u007e]*$/;

/** How many columns of a terminal a text takes. It holds no control characters. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const sign of text) width += signWidth(sign);
  return width;
}

/** The beginning of a text that takes no more columns than this; `…` says that there was more. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const sign of text) {
    used += signWidth(sign);
    if (used > width - 1) break;
    kept += sign;
  }
  return `${kept}…`;
}

function signWidth(sign: string): number {
  if (ON_TOP.test(sign)) return 0;
  return WIDE.test(sign) ? 2 : 1;
}
