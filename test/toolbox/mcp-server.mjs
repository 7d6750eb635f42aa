/** A small server of the Model Context Protocol: on its standard input and output, or at a port that it prints. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const [how = 'stdio'] = process.argv.slice(2);

function offering() {
  const server = new McpServer({ name: 'small', version: '1.0.0' });
  const say = (text, more = {}) => ({ content: [{ type: 'text', text }], ...more });
  server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) =>
    say(JSON.stringify(a + b)),
  );
  server.registerTool('structured', {}, () => say('as text', { structuredContent: { rows: 3 } }));
  server.registerTool('picture', {}, () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }));
  server.registerTool('broken', {}, () => say('the table is locked', { isError: true }));
  server.registerTool('slow', {}, () => new Promise(() => {}));
  server.registerTool('dies', {}, () => {
    process.stderr.write('out of luck\n');
    process.exit(3);
  });
  server.registerTool('leaves', {}, () => {
    const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
    return say(String(child.pid));
  });
  server.registerTool('surroundings', {}, () => say(JSON.stringify({ cwd: process.cwd(), env: process.env })));
  return server;
}

if (how === 'stdio') {
  process.stdout.write('this line is no message\n');
  await offering().connect(new StdioServerTransport());
} else {
  const http = createServer(async (request, response) => {
    if (request.headers.authorization !== 'Bearer wanted') return response.writeHead(401).end();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await offering().connect(transport);
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => process.stdout.write(`${http.address().port}\n`));
}
