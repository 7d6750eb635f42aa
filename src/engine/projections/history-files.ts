import type { Hash } from '../ports.js';
import type { HistoryEnd } from './history-format.js';

/** A history as it lies on the disk. */
export type FoundHistory = HistoryEnd & {
  /** The whole file. */
  bytes: number;
  opening: string;
  tail: string;
};

/** Files that grow at their end, of which readers always see the old one or the new one, whole. */
export interface HistoryFiles {
  /**
   * Reads it through once, without keeping it, and removes what a dead writer left beside it. Undefined when there is
   * none, or when it is not as it was last written.
   */
  examine(file: string): Promise<FoundHistory | undefined>;
  /** Whether the file is still the one that was examined or written here last. */
  isKept(file: string): Promise<boolean>;
  /** Replaces whatever is there by a file of its own, whose first interaction has this sequence. */
  begin(
    file: string,
    { opening, first }: Pick<FoundHistory, 'opening' | 'first'>,
    lines: AsyncIterable<string>,
    tail: string,
  ): Promise<FoundHistory>;
  /**
   * Adds interactions and changes the tail: copy, patch, fsync, rename. Fails when it is not kept.
   */
  extend(file: string, lines: AsyncIterable<string>, tail: string): Promise<FoundHistory>;
  /** Keeps the file as it is, compressed, under another name. */
  pack(file: string, part: string): Promise<{ bytes: number; sha256: Hash }>;
  /** Undefined when there is none. */
  size(file: string): Promise<number | undefined>;
  /** Nothing more comes for it. */
  forget(file: string): void;
}
