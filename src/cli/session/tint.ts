import picocolors from 'picocolors';

const { dim, bold, green, red, yellow } = picocolors.createColors(true);

/** What a colour doubles; the words beside it say the same. */
export type Tone = 'plain' | 'dim' | 'strong' | 'good' | 'bad' | 'note';

const PAINTS: Readonly<Record<Tone, (text: string) => string>> = {
  plain: (text) => text,
  ...{ dim, strong: bold, good: green, bad: red, note: yellow },
};

/** Only for text that is safe already. */
export function tint(text: string, tone: Tone, colour: boolean): string {
  return colour && text !== '' ? PAINTS[tone](text) : text;
}
