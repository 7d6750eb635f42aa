import type { BodyRef } from '../../core/kernel/effect.js';
import type { EventStore } from '../ports.js';

type Part = { type?: unknown; text?: unknown };

/** What somebody said, out of the items that the model is sent: words, and how many pictures. */
export async function readInput(
  store: Pick<EventStore, 'body'>,
  items: BodyRef,
): Promise<{ text: string; images: number }> {
  const bytes = await store.body(items.sha256);
  const parts = bytes ? partsIn(new TextDecoder().decode(bytes)) : [];
  const words = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return { text: words.join('\n'), images: parts.filter(({ type }) => String(type).includes('image')).length };
}

function partsIn(json: string): readonly Part[] {
  try {
    const items = JSON.parse(json) as unknown;
    if (!Array.isArray(items)) return [];
    return items.flatMap((item: { content?: unknown } & Part) => {
      if (Array.isArray(item?.content)) return item.content as Part[];
      return typeof item?.content === 'string' ? [{ type: 'text', text: item.content }] : [item ?? {}];
    });
  } catch {
    return [];
  }
}
