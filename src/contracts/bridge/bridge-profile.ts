import { type Denial, deny } from '../shared/verdict.js';
import type { BridgeRequest } from './bridge-request.js';

export type BridgePhase = {
  phase: number;
  phase_name: string;
  agent_name: string;
  /** A JSON Schema that the text of the answer must fit. */
  response_schema?: Record<string, unknown>;
};

/** Which asks one kind of workflow makes. Without a profile any name goes. */
export type BridgeProfile = { name: string; phases: readonly BridgePhase[] };

/** The workflow of the document: its enums of names are this list. */
export const TEMPLATE_CREATE: BridgeProfile = {
  name: 'template-create',
  phases: [
    { phase: 1, phase_name: 'codebase_analysis', agent_name: 'architectural-reviewer' },
    { phase: 6, phase_name: 'agent_creation', agent_name: 'architectural-reviewer' },
    { phase: 7, phase_name: 'agent_enhancement', agent_name: 'agent-content-enhancer' },
  ],
};

type Asked = Pick<BridgeRequest, 'phase' | 'phase_name' | 'agent_name'>;

/** Every name and the number of the phase must be those of one row. */
export function checkAgainstProfile(request: Asked, { name, phases }: BridgeProfile): true | Denial {
  const row = phases.find(({ phase }) => phase === request.phase);
  if (!row)
    return unfit(
      name,
      '/phase',
      request.phase,
      phases.map(({ phase }) => phase),
    );
  if (row.phase_name !== request.phase_name) return unfit(name, '/phase_name', request.phase_name, [row.phase_name]);
  return row.agent_name === request.agent_name || unfit(name, '/agent_name', request.agent_name, [row.agent_name]);
}

function unfit(profile: string, path: string, found: number | string, expected: readonly (number | string)[]): Denial {
  const known = expected.map((value) => JSON.stringify(value)).join(', ');
  return deny('SCHEMA_INVALID', `${path} is ${JSON.stringify(found)}; the profile ${profile} has ${known}`, {
    path,
    expected,
    profile,
  });
}
