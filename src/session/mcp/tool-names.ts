import { createHash } from 'node:crypto';

const NAME_CHARS_MAX = 64;
const MARK_CHARS = 8;

/** One name for each tool of each server that every provider takes: clean, short, and no two alike. */
export function toolNames<T extends { server: string; tool: string }>(tools: readonly T[]): ReadonlyMap<string, T> {
  const plain = new Map<string, number>();
  for (const one of tools) plain.set(plainName(one), (plain.get(plainName(one)) ?? 0) + 1);
  return new Map(
    tools.map((one) => {
      const name = plainName(one);
      const isFine = name.length <= NAME_CHARS_MAX && plain.get(name) === 1;
      return [isFine ? name : markedName(one), one] as const;
    }),
  );
}

function plainName({ server, tool }: { server: string; tool: string }): string {
  return `mcp__${clean(server)}__${clean(tool)}`;
}

/** Two tools whose clean names are the same are told apart by what they were before. */
function markedName(one: { server: string; tool: string }): string {
  const mark = createHash('sha256').update(`${one.server}\0${one.tool}`).digest('hex').slice(0, MARK_CHARS);
  return `${plainName(one).slice(0, NAME_CHARS_MAX - MARK_CHARS - 1)}_${mark}`;
}

function clean(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}
