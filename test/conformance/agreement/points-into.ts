/** Does the JSON pointer lead to a place in the value, or to where a missing field would stand? */
export function pointsInto(pointer: string, value: unknown): boolean {
  if (pointer === '') return true;
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = value;
  for (const step of steps.slice(0, -1)) {
    if (!has(at, step)) return false;
    at = (at as Record<string, unknown>)[step];
  }
  if (Array.isArray(at)) return has(at, steps.at(-1) as string);
  return typeof at === 'object' && at !== null;
}

function has(value: unknown, step: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step);
}
