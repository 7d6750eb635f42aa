import { limitLines } from './resource-limits.js';
import type { Sandbox, SandboxMode, Strength, Wrapped } from './sandbox.js';

/** A command with nothing around it. */
export function unconfined(env: Readonly<Record<string, string>>, afterGate: readonly string[] = []): Wrapped {
  return {
    prefix: [],
    env,
    payloads: [],
    lent: [],
    beforeGate: [],
    afterGate,
    signs: [],
    inspect: async () => ({ init: undefined }),
    tidy: () => {},
  };
}

/** A mode in which only the limits of single processes are ours. */
export function limitedOnly(mode: SandboxMode, strength: Strength): Sandbox {
  return {
    mode,
    strength,
    wrap: ({ env, confinement }) => unconfined(env, limitLines(confinement.limits, { ownUserNamespace: false })),
  };
}
