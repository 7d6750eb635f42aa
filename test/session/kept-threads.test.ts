/** Threads that a provider keeps: which of its responses are named to whom, and what happens when it forgets them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { NO_USAGE } from '../../src/core/kernel/effect.js';
import type { SessionOrder } from '../../src/core/session/session-messages.js';
import { ORDER, TurnStage } from './turn-stage.js';

type Asked = { previous_response_id?: string; store: boolean; input: unknown };

/** A provider that answers with a word, or does not know the response that is named. */
class Provider {
  readonly asked: Asked[] = [];
  forgets = false;
  url = '';

  async open(): Promise<this> {
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const asked = JSON.parse(body) as Asked;
      this.asked.push(asked);
      if (this.forgets && asked.previous_response_id !== undefined) {
        const message = `Previous response with id '${asked.previous_response_id}' not found.`;
        const error = { code: 'previous_response_not_found', type: 'invalid_request_error', message };
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
        return;
      }
      const content = [{ type: 'output_text', text: `word-${this.asked.length}` }];
      const answer = { id: `resp_${this.asked.length}`, output: [{ type: 'message', role: 'assistant', content }] };
      const event = { type: 'response.completed', response: answer };
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(event)}\n\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    return this;
  }
}

function configure(stage: TurnStage, order: Partial<SessionOrder>): void {
  const whole = { ...ORDER, ...order };
  stage.tell({ type: 'Configure', sub: 'c', order: whole, thread: null, atMs: stage.now(), used: NO_USAGE });
}

test('a response is named only to the provider that was told to keep it; another one is sent the thread', async () => {
  const { url } = await new Provider().open();
  const stage = await TurnStage.open([], { url });
  stage.input('a');
  await stage.turn();
  configure(stage, { history: 'server' });
  stage.input('b', 's2');
  expect(await stage.request()).toMatchObject({ previousResponseId: null, store: true, input: [{}, {}, {}] });
  await stage.turn();
  stage.input('c', 's3');
  expect(await stage.request()).toMatchObject({ previousResponseId: 'resp_2', input: [{}] });
  configure(stage, { history: 'server', agent: 'other' });
  stage.input('d', 's4');
  const { previousResponseId, input } = await stage.request();
  expect(previousResponseId).toBeNull();
  expect(JSON.stringify(input)).toMatch(/"a".*"word-1".*"b".*"word-2".*"c".*"d"/);
  configure(stage, { history: 'server' });
  stage.input('e', 's5');
  expect(await stage.request(), 'the first one still has it').toMatchObject({ previousResponseId: 'resp_2' });
});

test('a provider that has forgotten a response of ours is sent the whole thread, within the same ask', async () => {
  const provider = await new Provider().open();
  const stage = await TurnStage.open([], { url: provider.url, order: { history: 'server' } });
  stage.input('a');
  await stage.turn();
  provider.forgets = true;
  stage.input('b', 's2');
  const { events } = await stage.turn();
  expect(events.at(-1)).toMatchObject({ type: 'TaskEnded', responseId: 'resp_3' });
  expect(provider.asked.map((asked) => [asked.previous_response_id, asked.store])).toEqual([
    [undefined, true],
    ['resp_1', true],
    [undefined, true],
  ]);
  expect(JSON.stringify(provider.asked[2]?.input)).toMatch(/"a".*"word-1".*"b"/);
});

test('a thread of which only the provider has the beginning cannot be sent, and that is said', async () => {
  const provider = await new Provider().open();
  provider.forgets = true;
  const stage = await TurnStage.open([], { url: provider.url });
  stage.input('Go on.', 's1', 'resp_old');
  const reason = 'the provider does not know the response resp_old';
  expect(await stage.ask()).toMatchObject({ type: 'failed', failure: 'refused', reason });
  expect(provider.asked).toHaveLength(1);
});
