/** A small seeded generator: the same seed gives the same inputs on every machine and in every release. */
export class Random {
  private state: number;

  /** Each input has a stream of its own, so that one input can be made again without those before it. */
  constructor(seed: number, stream = 0) {
    this.state = mix(mix(seed | 0) ^ Math.imul(stream + 1, 0x9e3779b9));
  }

  /** A whole number from 0 up to, but without, `bound`. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('nothing to pick from');
    return items[this.below(items.length)] as T;
  }

  private fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    return (mix(this.state) >>> 0) / 2 ** 32;
  }
}

function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 15), value | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return bits ^ (bits >>> 14);
}
