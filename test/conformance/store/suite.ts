import { afterEach, beforeEach, describe } from 'vitest';
import type { EventStore } from '../../../src/engine/ports.js';
import { appendTests } from './append-tests.js';
import { claimTests } from './claim-tests.js';
import { readTests } from './read-tests.js';
import { twoStoreTests } from './two-store-tests.js';

/** One store under test, and the ways to look at it that only its adapter knows. */
export type StoreUnderTest = {
  store: EventStore;
  /** Closes everything and opens the same store again. */
  reopen(): Promise<EventStore>;
  /** Another process's view of the same store, as far as the adapter can imitate one. */
  second(): Promise<EventStore>;
  /** Ends the worker as a killed process ends: without saying so. */
  kill(store: EventStore, worker: string): Promise<void>;
  /** Lets the clock pass that silence is measured with. */
  passMs(ms: number): void;
  close(): Promise<void>;
};
export type Opened = { readonly current: StoreUnderTest };

/** What every adapter of EventStore must do. */
export function describeStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the ${name} store`, () => {
    let current: StoreUnderTest | undefined;
    const opened: Opened = {
      get current() {
        if (!current) throw new Error('no store is open');
        return current;
      },
    };
    beforeEach(async () => {
      current = await open();
    });
    afterEach(async () => {
      await current?.close();
      current = undefined;
    });
    describe('append', () => appendTests(opened));
    describe('reading', () => readTests(opened));
    describe('claim', () => claimTests(opened));
    describe('two at once', () => twoStoreTests(opened));
  });
}
