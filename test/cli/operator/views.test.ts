import { describe, expect, test } from 'vitest';
import { cellsOf } from '../../../src/cli/operator/cells.js';
import { ledgerLines } from '../../../src/cli/operator/ledger-view.js';
import { lockTreeLines } from '../../../src/cli/operator/lock-tree.js';
import { worklogLines } from '../../../src/cli/operator/worklog-view.js';
import type { LedgerBoard } from '../../../src/contracts/api/ledger-shapes.js';
import { EMPTY, FINISHED, HOSTILE, longBoard, UNDER_WAY } from '../../operator/boards.js';
import { ENTRIES } from '../../operator/entries.js';

const BOARDS: Record<string, () => LedgerBoard> = {
  'under-way': () => UNDER_WAY,
  finished: () => FINISHED,
  empty: () => EMPTY,
  hostile: () => HOSTILE,
  long: longBoard,
};
const WIDTHS = [80, 120];
const CASES = Object.keys(BOARDS).flatMap((name) => WIDTHS.map((width) => [name, width] as const));
const plain = { colour: false, utf8: true, all: false };
const boardOf = (name: string): LedgerBoard => (BOARDS[name] as () => LedgerBoard)();
const golden = (name: string): string => `../../golden/operator/${name}.txt`;
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('the ledger', () => {
  test.each(CASES)('%s at %i columns', async (name, width) => {
    const lines = ledgerLines(boardOf(name), { ...plain, width });
    await expect(textOf(lines)).toMatchFileSnapshot(golden(`ledger-${name}-${width}`));
    expect(lines.filter((line) => cellsOf(line) > width)).toEqual([]);
  });

  test('leaves nothing out with --all', () => {
    const board = longBoard();
    const lines = ledgerLines(board, { ...plain, width: 100, all: true });
    const rows = lines.filter((line) => /^T-\d+ +Task number/.test(line));
    expect(rows).toHaveLength(board.ledger.tasks.length);
    expect(textOf(lines)).not.toContain('more');
    expect(ledgerLines(board, { ...plain, width: 100 }).length).toBeLessThan(60);
  });

  test('is as wide with colours as without, and says the same', () => {
    const coloured = ledgerLines(UNDER_WAY, { ...plain, width: 80, colour: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are to be taken away
    const bare = coloured.map((line) => line.replaceAll(/\u001b\[\d+m/g, ''));
    expect(bare).toEqual(ledgerLines(UNDER_WAY, { ...plain, width: 80 }));
    expect(coloured).not.toEqual(bare);
  });

  test('keeps to ASCII where the terminal has nothing else', () => {
    for (const board of [UNDER_WAY, HOSTILE, FINISHED]) {
      const lines = ledgerLines(board, { ...plain, width: 80, utf8: false });
      expect(textOf(lines)).toMatch(/^[ -~\n]+$/);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
  });

  test('never sends what an agent wrote to the terminal as it is', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these may not be there
    expect(textOf(ledgerLines(HOSTILE, { ...plain, width: 80 }))).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test('names the goal where it was missed, and never rounds a miss into a hit', () => {
    const metrics = { packets_valid: 0.9899, lock_conflicts: 0.0501, first_pass: 0.85, retry_success: 0.599 };
    const text = textOf(ledgerLines({ ...FINISHED, metrics }, { ...plain, width: 200 }));
    expect(text).toContain(
      'First pass 85 % · retries that helped 59 % (goal ≥ 60 %) · lock conflicts 6 % (goal ≤ 5 %) · packets valid 98 % (goal ≥ 99 %)',
    );
  });

  test('of 29 hundredths is 29 %, whatever a computer makes of 0.29 times 100', () => {
    const metrics = { ...FINISHED.metrics, first_pass: 0.29, lock_conflicts: 0.07 };
    const text = textOf(ledgerLines({ ...FINISHED, metrics }, { ...plain, width: 200 }));
    expect(text).toContain('First pass 29 %');
    expect(text).toContain('lock conflicts 7 %');
  });
});

describe('the locks', () => {
  test.each(CASES)('%s at %i columns', async (name, width) => {
    const lines = lockTreeLines(boardOf(name), { ...plain, width });
    await expect(textOf(lines)).toMatchFileSnapshot(golden(`locks-${name}-${width}`));
    expect(lines.filter((line) => cellsOf(line) > width)).toEqual([]);
  });
});

describe('the worklog', () => {
  test.each(WIDTHS)('at %i columns', async (width) => {
    const lines = worklogLines(ENTRIES, 'T-4 Move invoice renderer', { ...plain, width });
    await expect(textOf(lines)).toMatchFileSnapshot(golden(`worklog-${width}`));
    expect(lines.filter((line) => cellsOf(line) > width)).toEqual([]);
  });

  test('says when there is none', () => {
    expect(worklogLines([], 'T-9', { ...plain, width: 80 })).toEqual(['T-9   nothing was written down yet']);
  });
});
