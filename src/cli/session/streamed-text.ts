/** What was shown of each text while it was written, so that the whole of it is not shown twice. */
export class StreamedText {
  private readonly shown = new Map<string, string>();
  private readonly broken = new Set<string>();

  /** What is new in a piece; nothing once a piece before it is missing. */
  piece(item: string, offset: number, delta: string): string {
    const known = this.shown.get(item) ?? '';
    if (offset > known.length) this.broken.add(item);
    if (this.broken.has(item)) return '';
    const fresh = delta.slice(known.length - offset);
    this.shown.set(item, known + fresh);
    return fresh;
  }

  /** The rest of a text that is whole now. `isNew`: what was shown of it is not its beginning, so all of it comes. */
  whole(item: string, text: string): { text: string; isNew: boolean } {
    const known = this.shown.get(item) ?? '';
    this.shown.delete(item);
    this.broken.delete(item);
    return text.startsWith(known) ? { text: text.slice(known.length), isNew: false } : { text, isNew: known !== '' };
  }
}
