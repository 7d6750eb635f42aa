// Speaks like `codex exec --json`, like `claude -p --output-format stream-json`, or in Baton's own way (`command`):
// fake-cli.mjs DIALECT [arguments of the CLI]
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [dialect, ...args] = process.argv.slice(2);
const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

const CODEX = {
  thread: () => (args.includes('resume') ? args.at(-2) : undefined),
  home: process.env.CODEX_HOME,
  lost: (thread) => console.error(`Error: thread/resume failed: no rollout found for thread id ${thread}\n\n0: main`),
  begin: (thread) => say({ type: 'thread.started', thread_id: thread }),
  base: () => /base_url="([^"]+)"/.exec(args.join(' '))?.[1],
  async ask(input) {
    const headers = { authorization: `Bearer ${process.env.OPENAI_API_KEY}` };
    const { output } = await post(`${this.base()}/responses`, headers, { model: 'scripted', input });
    return { kept: output, text: output.find(({ type }) => type === 'message')?.content[0].text, calls: calls(output) };
  },
  person: (text) => ({ role: 'user', content: text }),
  result: ({ call_id }, output) => ({ type: 'function_call_output', call_id, output }),
  says: (text) => say({ type: 'item.completed', item: { type: 'agent_message', text } }),
  runs: (command) => say({ type: 'item.started', item: { type: 'command_execution', command } }),
  end: () => say({ type: 'turn.completed', usage: {} }),
  fail: (message) => say({ type: 'turn.failed', error: { message } }),
};

const CLAUDE = {
  thread: () => after('--resume'),
  home: process.env.CLAUDE_CONFIG_DIR,
  lost: (thread) =>
    CLAUDE.over('error_during_execution', { errors: [`No conversation found with session ID: ${thread}`] }),
  begin: (thread) => say({ type: 'system', subtype: 'init', session_id: thread }),
  async ask(messages) {
    const headers = { 'x-api-key': process.env.ANTHROPIC_API_KEY };
    const { content } = await post(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, headers, {
      model: 'scripted',
      messages,
    });
    const uses = content.filter(({ type }) => type === 'tool_use');
    const said = content.find(({ type }) => type === 'text')?.text;
    return { kept: [{ role: 'assistant', content }], text: said, calls: uses.map((use) => ({ ...use, ...use.input })) };
  },
  person: (text) => ({ role: 'user', content: text }),
  result: ({ id }, content) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }),
  says: (text) => say({ type: 'assistant', message: { content: [{ type: 'text', text }] } }),
  runs: (command) => say({ type: 'assistant', message: { content: [{ type: 'tool_use', input: { command } }] } }),
  over: (subtype, more) => say({ type: 'result', subtype, is_error: subtype !== 'success', ...more }),
  end: (text) => CLAUDE.over('success', { result: text }),
  fail: (message) => CLAUDE.over('error_during_execution', { result: message }),
};

/** Remembers nothing; its answer is all it prints, and what it does it tells beside that. */
const COMMAND = {
  ...CODEX,
  thread: () => undefined,
  home: undefined,
  begin: () => {},
  base: () => process.env.OPENAI_BASE_URL,
  says: (text) => console.error(`says: ${text}`),
  runs: (command) => console.error(`$ ${command}`),
  end: (text) => console.log(text),
  fail: (message) => console.error(message),
};

function after(name) {
  const at = args.indexOf(name);
  return at === -1 ? undefined : args[at + 1];
}

function calls(output) {
  return output
    .filter(({ type }) => type === 'function_call')
    .map((call) => ({ ...call, ...JSON.parse(call.arguments) }));
}

async function post(url, headers, body) {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function turn(speak) {
  const known = speak.thread();
  const thread = known ?? after('--session-id') ?? randomUUID();
  const file = speak.home && path.join(speak.home, `${thread}.json`);
  if (known !== undefined && !existsSync(file)) {
    speak.lost(known);
    return 1;
  }
  const items = known === undefined ? [] : JSON.parse(readFileSync(file, 'utf8'));
  speak.begin(thread);
  items.push(speak.person(readFileSync(0, 'utf8')));
  for (;;) {
    const { kept, text, calls } = await speak.ask(items);
    items.push(...kept);
    if (file) writeFileSync(file, JSON.stringify(items));
    if (text) speak.says(text);
    if (calls.length === 0) {
      speak.end(text);
      return 0;
    }
    for (const call of calls) {
      const command = call.cmd ?? call.command;
      speak.runs(command);
      items.push(speak.result(call, execFileSync('sh', ['-c', command], { encoding: 'utf8' })));
    }
  }
}

if (args.includes('--version')) console.log('99.0.0 (fake)');
else {
  const speak = { codex: CODEX, claude: CLAUDE, command: COMMAND }[dialect];
  process.exitCode = await turn(speak).catch((problem) => {
    speak.fail(String(problem));
    return 1;
  });
}
