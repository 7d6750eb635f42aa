import type { AgentRequest000 } from '../generated/types/agent-request-000.js';
import type { AgentResponse } from '../generated/types/agent-response.js';
import { validate, validateStrict } from '../generated/validators/agent-response.js';
import type { Contract } from '../shared/contract.js';
import { refusePath } from '../shared/relative-path.js';
import { firstDenial } from '../shared/untrusted-text.js';
import { deny } from '../shared/verdict.js';

/** Contract 000, "Agent Response". Whether evidence exists needs a workspace and is asked where there is one. */
export const agentResponse: Contract<AgentResponse> = {
  name: 'agent-response',
  validate,
  validateStrict,
  rules: [
    ({ summary_for_supervisor }) =>
      summary_for_supervisor.trim() !== '' ||
      deny('SCHEMA_INVALID', '/summary_for_supervisor is blank', { path: '/summary_for_supervisor' }),
    ({ evidence_files }) =>
      firstDenial(evidence_files.map((file, index) => refusePath(file, `/evidence_files/${index}`))),
  ],
  against: {
    contract: 'agent-request-000',
    check({ action }, request) {
      const { accepted_formats: accepted } = (request as AgentRequest000).metadata;
      return (
        accepted.includes(action) ||
        deny('NON_COMPLIANT', `/action ${action} is not among the request's accepted_formats`, {
          path: '/action',
          expected: accepted,
        })
      );
    },
  },
};
