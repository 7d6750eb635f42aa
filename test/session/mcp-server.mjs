/** A small server of the Model Context Protocol. `hangs` says nothing, ever; `dies` ends before it is asked. */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const [how = 'stdio', log] = process.argv.slice(2);
if (log) appendFileSync(log, `${process.pid}\n`);

if (how === 'dies') {
  process.stderr.write('no licence\n');
  process.exit(4);
} else if (how === 'hangs') {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1_000);
} else {
  const server = new McpServer({ name: 'small', version: '1.0.0' });
  const say = (text, more = {}) => ({ content: [{ type: 'text', text }], ...more });
  let uses = 0;
  server.registerTool('look', { annotations: { readOnlyHint: true } }, () => {
    uses += 1;
    return say(`looked ${uses}`);
  });
  server.registerTool('change', { description: 'Changes it.', inputSchema: { to: z.string() } }, ({ to }) =>
    say(`changed to ${to}`),
  );
  server.registerTool('refuses', {}, () => say('the table is locked', { isError: true }));
  server.registerTool('big', {}, () => say('x'.repeat(1_000_000)));
  server.registerTool('slow', {}, () => new Promise(() => {}));
  server.registerTool('exits', {}, () => {
    process.stderr.write('out of luck\n');
    process.exit(3);
  });
  server.registerTool('leaves', {}, () => {
    const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
    return say(String(child.pid));
  });
  server.registerTool('surroundings', {}, () => say(JSON.stringify({ cwd: process.cwd(), env: process.env })));
  await server.connect(new StdioServerTransport());
}
