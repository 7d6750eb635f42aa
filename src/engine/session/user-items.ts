import type { Scrub } from '../scrub.js';
import type { OpOf } from './session-orders.js';

type UserInput = OpOf<'user_input'>;
/** A picture in a file below the session's folder, as an address that holds all of it. */
export type ReadImage = (path: string, cwd: string) => Promise<string>;

const TITLE_LENGTH_MAX = 80;

/** What a person says and shows, as an item of the model's input. */
export async function userItems({ items }: UserInput, cwd: string, image: ReadImage): Promise<readonly object[]> {
  const content: object[] = [];
  for (const item of items) {
    if (item.type === 'text') content.push({ type: 'input_text', text: item.text });
    else if (item.type === 'image') content.push({ type: 'input_image', detail: 'auto', image_url: item.image_url });
    else content.push({ type: 'input_image', detail: 'auto', image_url: await image(item.path, cwd) });
  }
  return [{ type: 'message', role: 'user', content }];
}

export function textOf({ items }: UserInput): string {
  return items.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
}

/** Scrubbed before it is cut: nobody knows half of a secret again. */
export function titleOf(op: UserInput, scrub: Scrub): string {
  const [line = ''] = scrub(textOf(op)).trim().split('\n');
  return line.length > TITLE_LENGTH_MAX ? `${line.slice(0, TITLE_LENGTH_MAX - 1)}…` : line || 'a picture';
}
