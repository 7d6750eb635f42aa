export type Heard = { id: string; data: { [name: string]: unknown; position: number; run_id: string; seq: number } };

export type Listening = {
  token: string;
  /** What was heard last: it is gone on behind it. */
  last?: string;
  signal?: AbortSignal;
};

/** Every whole message of a stream until it ends; one that was cut off has not been heard. */
export async function* messagesOf(url: string, { token, last, signal }: Listening): AsyncGenerator<Heard> {
  const response = await fetch(url, {
    headers: {
      ...{ authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      ...(last !== undefined && { 'last-event-id': last }),
    },
    ...(signal && { signal }),
  });
  if (response.status !== 200 || !response.body) throw new Error(`${response.status}: ${await response.text()}`);
  let text = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const message = text.slice(0, end);
      text = text.slice(end + 2);
      const [, id = '', data = ''] = /^id: (\d+)\ndata: (.*)$/.exec(message) ?? [];
      if (id !== '') yield { id, data: JSON.parse(data) };
      else if (!message.startsWith(':')) throw new Error(`no message: ${JSON.stringify(message)}`);
    }
  }
}
