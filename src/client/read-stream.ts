/** One message of a stream of events; a comment is only a sign of life. */
export type Message = { type: 'event'; id: string | undefined; data: string } | { type: 'comment' };

const LINE_LENGTH_MAX = 64 * 1024 * 1024;

/** Reads `text/event-stream` as it comes, cut wherever it may be cut. */
export async function* readStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let rest = '';
  let id: string | undefined;
  let data: string[] = [];
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LENGTH_MAX) throw new Error('a line of the stream does not end');
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (line === '') {
        if (data.length > 0) yield { type: 'event', id, data: data.join('\n') };
        data = [];
      } else if (line.startsWith(':')) yield { type: 'comment' };
      else if (line.startsWith('id:')) id = textOf(line, 'id:');
      else if (line.startsWith('data:')) data.push(textOf(line, 'data:'));
    }
  }
}

function textOf(line: string, field: string): string {
  const value = line.slice(field.length);
  return value.startsWith(' ') ? value.slice(1) : value;
}
