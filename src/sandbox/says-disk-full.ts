const FULL =
  /\b(?:ENOSPC|EDQUOT)\b|no space left on device|out of diskspace|disk quota exceeded|database or disk is full/i;

/** Whether what a program or a system call said means that there is no space left. */
export function saysDiskFull(text: string): boolean {
  return FULL.test(text);
}
