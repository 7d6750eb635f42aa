import { isContractName } from '../contracts/contract-names.js';
import { schemas } from '../contracts/generated/validators/schemas.js';
import { ERRORS } from '../contracts/shared/errors.js';
import { LEAST_ROLE } from '../core/access/role.js';
import type { Admission } from './guard/guard.js';
import type { Route } from './route.js';

/** An address as it is told about; who may comes with it. */
export type Described = Omit<Route, 'verb' | 'answer' | 'stream'> & { verb: Admission; stream?: object };

const ERROR_SCHEMA = {
  type: 'object',
  required: ['allow', 'code', 'reason', 'hint'],
  properties: {
    allow: { const: false },
    code: { enum: Object.keys(ERRORS) },
    reason: { type: 'string' },
    hint: { type: 'string' },
    details: { type: 'object' },
  },
};

/** The description of the API, made from the same rows as the API itself. */
export function openApi(routes: readonly Described[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([a-z]+)/g, '{$1}').replace('*', '{path}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Baton', version },
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: ERROR_SCHEMA },
    },
    paths,
  };
}

function operationOf({
  method,
  path,
  summary,
  verb,
  query = {},
  body,
  takes,
  status = 200,
  stream,
}: Described): object {
  const named = [...path.matchAll(/:([a-z]+)|[*]/g)].map(([, name = 'path']) => parameter(name, 'path', ''));
  const asked = Object.entries(query).map(([name, about]) => parameter(name, 'query', about));
  const key =
    method === 'POST' ? [parameter('Idempotency-Key', 'header', 'the same key again gives the same act')] : [];
  const lines = takes === 'lines' && { 'application/x-ndjson': {} };
  return {
    summary,
    ...admissionOf(verb),
    operationId: operationId(method, path),
    parameters: [...named, ...asked, ...key],
    ...((body || takes) && {
      requestBody: { content: { 'application/json': { schema: schemaOf(body?.name) }, ...lines } },
    }),
    responses: {
      [status]: {
        description: 'done',
        content: { 'application/json': {}, ...lines, ...(stream && { 'text/event-stream': {} }) },
      },
      default: {
        description: 'refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function admissionOf(verb: Admission): object {
  if (verb === 'open' || verb === 'page') return { description: 'For everybody.', security: [] };
  return { description: `For the role ${LEAST_ROLE[verb]} and above.` };
}

function parameter(name: string, where: 'path' | 'query' | 'header', description: string): object {
  return {
    name,
    in: where,
    required: where === 'path',
    schema: { type: 'string' },
    ...(description && { description }),
  };
}

function operationId(method: string, path: string): string {
  const words = path
    .replace('/api/v1/', '')
    .split(/[/:.*-]+/)
    .filter(Boolean);
  return [method.toLowerCase(), ...words].join('_');
}

function schemaOf(name: string | undefined): object {
  if (name === undefined || !isContractName(name)) return {};
  const { $schema: _, ...schema } = schemas[name] as Record<string, unknown>;
  return schema;
}
