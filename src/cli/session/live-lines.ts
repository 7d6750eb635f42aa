type Write = (text: string) => void;

const UP_AND_CLEAR = (lines: number): string => `\u001b[${lines}A\u001b[J`;

/** Lines at the end of what a terminal shows, overwritten by whatever comes next. Only where they can be. */
export class LiveLines {
  private readonly write: Write;
  private shown = 0;
  private isMidLine = false;

  constructor(write: Write) {
    this.write = write;
  }

  /** What stays. It may go another way to the same terminal. */
  keep(text: string, write: Write = this.write): void {
    if (text === '') return;
    this.clear();
    write(text);
    this.isMidLine = !text.endsWith('\n');
  }

  /** None of them is wider than the terminal. Not in the middle of a line: what is being written there is a sign of life itself. */
  show(lines: readonly string[]): void {
    if (this.isMidLine) return;
    this.clear();
    this.write(lines.map((line) => `${line}\n`).join(''));
    this.shown = lines.length;
  }

  clear(): void {
    if (this.shown > 0) this.write(UP_AND_CLEAR(this.shown));
    this.shown = 0;
  }
}
