/** What a colour doubles; the words beside it say the same. */
export type Tone = 'plain' | 'dim' | 'strong' | 'good' | 'bad' | 'note';

const CODES: Readonly<Record<Tone, readonly [on: number, off: number] | null>> = {
  plain: null,
  dim: [2, 22],
  strong: [1, 22],
  good: [32, 39],
  bad: [31, 39],
  note: [33, 39],
};

/** Only for text that is safe already. */
export function tint(text: string, tone: Tone, colour: boolean): string {
  const codes = CODES[tone];
  return codes && colour && text !== '' ? `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m` : text;
}
