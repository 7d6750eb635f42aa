export type PatchLine =
  | { key: string; kind: 'hunk'; text: string }
  | { key: string; kind: 'add' | 'del' | 'same'; text: string; before: number | null; after: number | null };
/** `left`: how many of its lines are not among them. */
export type PatchFile = { name: string; added: number; removed: number; lines: PatchLine[]; left: number };

/** Reads a unified diff as git writes it. Lines above the limit are counted and not kept. */
export function readPatch(patch: string, linesMax: number): PatchFile[] {
  const files: PatchFile[] = [];
  let [before, after, kept] = [0, 0, 0];
  let inside = false;
  const keep = (line: PatchLine): void => {
    const file = files.at(-1);
    if (kept < linesMax) file?.lines.push(line);
    else if (file) file.left += 1;
    kept += 1;
  };
  for (const [number, text] of patch.split('\n').entries()) {
    const key = String(number);
    const file = files.at(-1);
    if (text.startsWith('diff --git ')) {
      files.push({ name: nameIn(text), added: 0, removed: 0, lines: [], left: 0 });
      inside = false;
    } else if (text.startsWith('@@')) {
      const [, from = '0', to = '0'] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text) ?? [];
      [before, after, inside] = [Number(from), Number(to), true];
      keep({ key, kind: 'hunk', text });
    } else if (!inside || !file) {
    } else if (text.startsWith('+')) {
      file.added += 1;
      keep({ key, kind: 'add', text: text.slice(1), before: null, after: after++ });
    } else if (text.startsWith('-')) {
      file.removed += 1;
      keep({ key, kind: 'del', text: text.slice(1), before: before++, after: null });
    } else if (text.startsWith(' ')) {
      keep({ key, kind: 'same', text: text.slice(1), before: before++, after: after++ });
    }
  }
  return files;
}

function nameIn(line: string): string {
  const [, name] = /^diff --git "?a\/.*"? "?b\/(.*?)"?$/.exec(line) ?? [];
  return name ?? line;
}
