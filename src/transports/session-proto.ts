import type { ServiceDefinition } from '@grpc/grpc-js';

/** As proto/baton/v1/session.proto has it; a test compares the two. Nothing has to be found on a disk then. */
export const SESSION_PROTO = {
  nested: {
    baton: {
      nested: {
        v1: {
          nested: {
            Session: {
              methods: {
                Connect: {
                  requestType: 'Submission',
                  requestStream: true,
                  responseType: 'Event',
                  responseStream: true,
                },
              },
            },
            Submission: { fields: { id: { type: 'string', id: 1 }, op: { type: 'string', id: 2 } } },
            Event: {
              oneofs: { _seq: { oneof: ['seq'] } },
              fields: {
                id: { type: 'string', id: 1 },
                seq: { type: 'uint64', id: 2, options: { proto3_optional: true } },
                msg: { type: 'string', id: 3 },
              },
            },
          },
        },
      },
    },
  },
};

export type SubmissionMessage = { id?: string; op?: string };
export type EventMessage = { id?: string; seq?: number; msg?: string };

export async function sessionService(): Promise<ServiceDefinition> {
  const { fromJSON } = await import('@grpc/proto-loader');
  const definition = fromJSON(SESSION_PROTO as never, { longs: Number, keepCase: true });
  return definition['baton.v1.Session'] as ServiceDefinition;
}
