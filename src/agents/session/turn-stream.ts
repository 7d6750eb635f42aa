import type { TurnReadingFacts } from '../../core/session/session-effects.js';
import type { RunId } from '../../engine/ports.js';
import type { Scrub } from '../../engine/scrub.js';
import type { LivePiece, LiveText } from '../../engine/session/live-text.js';
import { type Fields, REASONING_BREAK, recordOf } from '../../engine/session/model-items.js';
import { itemName } from '../../engine/session/read-turn.js';
import { LiveWords } from './live-words.js';

/** More items of one response are not streamed; they are shown when they are stored. */
const ITEMS_SHOWN_MAX = 100;
const ITEMS_KEPT_MAX = 10_000;

type WordsType = Extract<LivePiece['type'], 'message' | 'reasoning'>;
type Shown = { words: LiveWords; type: WordsType; source: string; part: number };

/** Which events bring words, and which field says of which part of the item. */
const WORDS: Readonly<Record<string, { type: WordsType; part: string }>> = {
  'response.output_text.delta': { type: 'message', part: 'content_index' },
  'response.refusal.delta': { type: 'message', part: 'content_index' },
  'response.reasoning_summary_text.delta': { type: 'reasoning', part: 'summary_index' },
  'response.reasoning_text.delta': { type: 'reasoning', part: 'content_index' },
};

export type TurnStreamOptions = {
  run: RunId;
  task: string;
  facts: TurnReadingFacts;
  /** Null: nothing of it is for anybody to see. */
  live: LiveText | null;
  scrub: Scrub;
  /** Keeps which items were shown, for whoever has to take it back. */
  noteThread(names: string): void;
};

/** One streamed response: its words go on at once, the rest is collected until it is complete. */
export class TurnStream {
  /** The response as its last event has it. */
  response: Fields | undefined;
  /** What the provider says went wrong. */
  error: Fields | undefined;
  private readonly options: TurnStreamOptions;
  private readonly shown = new Map<string, Shown>();
  private readonly items = new Map<number, Fields>();

  constructor(options: TurnStreamOptions) {
    this.options = options;
  }

  /** Names of the items whose words were shown. */
  get thread(): string {
    return [...this.shown.keys()].join(',');
  }

  /** Some providers tell the items one by one and not again at the end. */
  get output(): readonly unknown[] {
    const told = this.response?.output;
    if (Array.isArray(told) && told.length > 0) return told;
    return [...this.items].sort(([one], [other]) => one - other).map(([, item]) => item);
  }

  take(given: unknown): void {
    if (this.response) return;
    const event = recordOf(given);
    const { type } = event;
    switch (type) {
      case 'response.output_item.done':
        this.itemDone(event);
        return;
      case 'response.completed':
      case 'response.incomplete':
        // An end that does not say of what is none: what follows is a stream that broke off.
        if (recordOf(event.response) !== event.response) return;
        for (const { words } of this.shown.values()) words.end();
        this.response = { status: type.slice('response.'.length), ...recordOf(event.response) };
        return;
      case 'response.failed':
        this.error = recordOf(recordOf(event.response).error);
        return;
      case 'error':
        this.error = { ...event, ...recordOf(event.error) };
        return;
      default:
        if (typeof type === 'string' && Object.hasOwn(WORDS, type)) this.addWords(type, event);
    }
  }

  close(): void {
    for (const name of this.shown.keys()) this.options.live?.close(this.options.run, name);
  }

  private itemDone({ output_index, item }: Fields): void {
    const index = indexOf(output_index);
    if (index === undefined || this.items.size >= ITEMS_KEPT_MAX) return;
    this.items.set(index, recordOf(item));
    this.shown.get(itemName(this.options.facts, index))?.words.end();
  }

  private addWords(source: string, event: Fields): void {
    const { type, part: field } = WORDS[source] as { type: WordsType; part: string };
    const { output_index, delta, [field]: part } = event;
    const index = indexOf(output_index);
    if (index === undefined || typeof delta !== 'string' || delta === '') return;
    const item = this.item(itemName(this.options.facts, index), type, source);
    if (!item || item.type !== type || item.source !== source) return;
    const place = indexOf(part) ?? 0;
    if (type === 'reasoning' && place !== item.part) item.words.add(REASONING_BREAK);
    item.part = place;
    item.words.add(delta);
  }

  private item(name: string, type: WordsType, source: string): Shown | undefined {
    const { run, task: id, live, scrub, noteThread } = this.options;
    const found = this.shown.get(name);
    if (found || !live || this.shown.size >= ITEMS_SHOWN_MAX) return found;
    const words = new LiveWords(scrub, (text) => live.tell({ run, id, item: name, type, text }));
    const shown = { words, type, source, part: 0 };
    this.shown.set(name, shown);
    // Before anybody sees it: whoever finds this process dead knows what to take back.
    noteThread(this.thread);
    return shown;
  }
}

function indexOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < ITEMS_KEPT_MAX
    ? value
    : undefined;
}
