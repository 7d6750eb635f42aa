import type { AgentRequest000 } from '../generated/types/agent-request-000.js';
import { validate, validateStrict } from '../generated/validators/agent-request-000.js';
import type { Contract } from '../shared/contract.js';
import { refusePath } from '../shared/relative-path.js';
import { firstDenial } from '../shared/untrusted-text.js';

/** Contract 000, "Request Structure". */
export const agentRequest000: Contract<AgentRequest000> = {
  name: 'agent-request-000',
  validate,
  validateStrict,
  rules: [
    ({ context_files }) => firstDenial(context_files.map((file, index) => refusePath(file, `/context_files/${index}`))),
  ],
};
