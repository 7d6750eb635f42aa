import type { SessionEvent } from '../../client/index.js';

/** A text that is still being written. `storedAt`: the event that holds it, once there is one. */
export type LiveItem = {
  key: string;
  type: 'message' | 'reasoning' | 'output';
  text: string;
  storedAt: number | null;
};

const TEXT_MAX = 256 * 1024;

/** Pieces put together. A piece that does not follow on is left out, with all that come after it. */
export class FoldedText {
  private readonly open = new Map<string, LiveItem & { next: number }>();

  /** True when something is to be drawn anew. */
  see({ seq, msg }: SessionEvent): boolean {
    const { type, item_id: item, call_id: call } = msg;
    if (type === 'agent_message_delta') return this.add(String(item), 'message', msg);
    if (type === 'agent_reasoning_delta') return this.add(String(item), 'reasoning', msg);
    if (type === 'exec_command_output_delta') return this.add(String(call), 'output', msg);
    if (seq === undefined) return false;
    if (type === 'agent_message' || type === 'agent_reasoning') return this.close(String(item), seq);
    if (type === 'exec_command_end') return this.close(String(call), seq);
    if (type === 'turn_restarted') return this.drop(Array.isArray(msg.item_ids) ? msg.item_ids.map(String) : []);
    if (type === 'task_complete' || type === 'error') return this.closeAll(seq);
    return false;
  }

  items(): readonly LiveItem[] {
    return [...this.open.values()].map(({ key, type, text, storedAt }) => ({ key, type, text, storedAt }));
  }

  forget(): void {
    this.open.clear();
  }

  private add(key: string, type: LiveItem['type'], { offset, delta, stream }: SessionEvent['msg']): boolean {
    if (typeof delta !== 'string') return false;
    // The two streams of a command have offsets of their own; they are shown as they come.
    const place = `${key}/${typeof stream === 'string' ? stream : ''}`;
    const at = typeof offset === 'number' ? offset : 0;
    const known = this.open.get(place);
    if (known && known.next !== at) return false;
    const text = `${known?.text ?? ''}${delta}`.slice(-TEXT_MAX);
    this.open.set(place, { key, type, text, storedAt: null, next: at + delta.length });
    return true;
  }

  private close(key: string, seq: number): boolean {
    let found = false;
    for (const item of this.open.values()) {
      if (item.key !== key) continue;
      item.storedAt ??= seq;
      found = true;
    }
    return found;
  }

  private closeAll(seq: number): boolean {
    for (const item of this.open.values()) item.storedAt ??= seq;
    return this.open.size > 0;
  }

  private drop(keys: readonly string[]): boolean {
    for (const [place, { key }] of this.open) if (keys.includes(key)) this.open.delete(place);
    return true;
  }
}
