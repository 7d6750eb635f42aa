// An agent as people write them: it asks its model once, streaming, then says that it is done.
// Words: what to do when it is refused: `stop` ends with an error, `go-on` waits for ever.
import { appendFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';

const [refused = 'stop', canary = ''] = process.argv.slice(2);
for await (const _ of process.stdin);
const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key } = process.env;
if (canary) writeFileSync('environment.txt', JSON.stringify(process.env));
const answer = await fetch(`${url}/responses`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'scripted', stream: true, input: 'Go on.' }),
});
let said = '';
try {
  for await (const chunk of answer.body) said += Buffer.from(chunk);
} catch (problem) {
  said += ` ${problem.cause ?? problem}`;
}
process.stderr.write(`${answer.status} ${said.slice(-300)}\n`);
if (!answer.ok || !said.includes('response.completed')) {
  if (refused === 'go-on') {
    createConnection({ port: new URL(url).port, host: '127.0.0.1' });
    setInterval(() => appendFileSync('still-here.txt', '.'), 100);
    await new Promise(() => {});
  }
  process.exit(3);
}
writeFileSync('add.js', 'exports.add = (a, b) => a + b;\n');
console.log(JSON.stringify({ action: 'COMPLETED', evidence_files: ['add.js'], summary_for_supervisor: 'Done.' }));
