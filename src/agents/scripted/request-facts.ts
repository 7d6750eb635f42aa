/** What a script can look at in a request, whichever contract it belongs to. */
export const FACT_NAMES = ['role', 'phase', 'stage', 'agent_name', 'task_id', 'ask'] as const;
export type FactName = (typeof FACT_NAMES)[number];
export type Facts = Partial<Record<FactName, string>>;

/**
 * Where contracts keep them: 001, 002 and 004 at the top, 003 in its task, the role of 000 in the metadata. A request
 * that is no object has no facts.
 */
export function requestFacts(request: Uint8Array): Facts {
  const value = parsed(request);
  const places = [value, inside(value, 'task'), inside(value, 'metadata')];
  const facts: Facts = {};
  for (const name of FACT_NAMES) {
    const found = places.flatMap((place) => [place[name], place[`x_${name}`]]).find(isPlain);
    if (found !== undefined) facts[name] = String(found);
  }
  return facts;
}

/** Baton composed it, so it needs no safe reader; what is no JSON is matched by entries without conditions. */
function parsed(request: Uint8Array): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(new TextDecoder().decode(request)));
  } catch {
    return {};
  }
}

function inside(value: Record<string, unknown>, name: string): Record<string, unknown> {
  return recordOf(value[name]);
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
