import { CONTRACTS } from '../../contracts/catalogue.js';
import { CONTRACT_NAMES, isContractName } from '../../contracts/contract-names.js';
import { schemas } from '../../contracts/generated/validators/schemas.js';
import { check } from '../../contracts/shared/contract.js';
import { BatonError, ERRORS } from '../../contracts/shared/errors.js';
import { Answer, type Asked, type Route, route } from '../route.js';

export const contractRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/schemas', verb: 'look', summary: 'Names of all contracts.' },
    answer: async () => ({ items: CONTRACT_NAMES.map((name) => ({ name })), next: null }),
  }),
  route({
    ...{ method: 'GET', path: '/api/v1/schemas/:name', verb: 'look', summary: 'The schema of a contract.' },
    answer: async ({ params: { name = '' } }) => schemas[known(name)],
  }),
  {
    ...{ method: 'POST', path: '/api/v1/validate/:contract', verb: 'validate', summary: 'Judge a payload.' },
    query: { strict: 'true refuses unknown fields' },
    takes: 'anything',
    async answer({ params: { contract = '' }, query, body }: Asked<unknown>) {
      const verdict = check(CONTRACTS[known(contract)], body, { strict: query.strict === 'true' });
      return verdict.allow ? verdict : new Answer(ERRORS[verdict.code].http, verdict);
    },
  } as Route,
];

function known(name: string) {
  if (isContractName(name)) return name;
  throw new BatonError('MISSING_VALIDATOR', `there is no contract ${JSON.stringify(name)}`, { contract: name });
}
