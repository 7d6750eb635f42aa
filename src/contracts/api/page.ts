/** A part of a list; `next` is where the rest begins, null at its end. */
export type Page<Item> = { items: readonly Item[]; next: string | null };
