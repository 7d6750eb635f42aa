import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RegisteredTool } from '../../src/contracts/generated/types/config.js';
import { BatonError } from '../../src/contracts/shared/errors.js';
import { chooseSandbox } from '../../src/sandbox/choose-sandbox.js';
import { processSource } from '../../src/sandbox/process-source.js';
import { Confinements } from '../../src/workspace/confinement.js';
import { Bench } from './bench.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

function register(script: string, more: Partial<RegisteredTool> = {}): void {
  bench.tools.mine = { command: [bench.program('mine', script)], risk: 'read_only', ...more };
}

describe('a command', () => {
  test('gets the parameters on its standard input and answers with one JSON value', async () => {
    register('read -r line; printf \'{"got": %s, "in": "%s"}\' "$line" "$PWD"');
    expect(await bench.use('mine', { table: 'users; rm -rf /', n: [1] })).toEqual({
      result: { got: { table: 'users; rm -rf /', n: [1] }, in: bench.folder },
      evidence: [],
    });
  });

  test('may answer with text', async () => {
    register('printf "three rows\\n"');
    expect(await bench.gives('mine')).toBe('three rows\n');
  });

  test('is split at blanks when it is one text, and knows no shell', async () => {
    bench.tools.mine = { command: `${bench.program('mine', 'printf %s "$*"')} 'a b' $(c) > d`, risk: 'read_only' };
    expect(await bench.gives('mine')).toBe('a b $(c) > d');
  });

  test('gets only the variables that are named', async () => {
    register('env', { env: ['WANTED', 'BATON_TOKEN'] });
    const lines = (await bench.gives('mine')).split('\n');
    expect(lines).toContain('WANTED=wanted');
    expect(lines).not.toContain('OTHER=other');
    expect(lines).not.toContain('BATON_TOKEN=never-passed-on');
  });

  test.each([
    ['exit 75', 'ToolError', true, 'mine asks to be run again later: busy'],
    ['exit 1', 'ToolError', true, 'mine ended with 1: busy'],
    ['exit 126', 'ToolNotFound', false, 'mine could not be started: busy'],
    ['exit 127', 'ToolNotFound', false, 'mine could not be started: busy'],
    ['kill -9 $$', 'ToolError', true, 'mine ended with a signal: busy'],
  ])('that ends by %s is a %s', async (end, error_type, recoverable, message) => {
    register(`printf 'busy\\033[31m\\n' >&2; ${end}`);
    expect(await bench.fails('mine')).toMatchObject({ error_type, recoverable, message, details: { stderr: 'busy' } });
  });

  test('that is not there is not found', async () => {
    bench.tools.mine = { command: 'no-such-program', risk: 'read_only' };
    expect(await bench.fails('mine')).toMatchObject({ error_type: 'ToolNotFound', recoverable: false });
  });

  test('in a folder that is gone is not run', async () => {
    register('true');
    const tool = (await bench.toolbox()).find('mine');
    const gone = { ...bench.around, folder: path.join(bench.root, 'gone') };
    expect(await tool?.run({}, gone)).toMatchObject({ failure: { error_type: 'ToolError', recoverable: true } });
    expect(await tool?.run({}, { ...bench.around, folder: null })).toEqual({ result: '', evidence: [] });
  });

  test('that takes too long is ended with all it has started', async () => {
    register(`setsid sleep 300 & echo $! > ${path.join(bench.root, 'pid')}; wait`, { timeout_seconds: 1 });
    expect(await bench.fails('mine')).toEqual({
      error_type: 'ToolTimeout',
      message: 'mine took longer than 1 second and was ended',
      recoverable: true,
    });
    const pid = Number(readFileSync(path.join(bench.root, 'pid'), 'utf8'));
    expect(processSource.find(pid)?.zombie ?? true).toBe(true);
    expect(await bench.rows.list({})).toEqual([]);
  });

  test('is recorded while it runs, and rejects when it is aborted', async () => {
    register('sleep 300');
    const running = bench.use('mine');
    while ((await bench.rows.list({})).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await bench.rows.list({})).toMatchObject([{ run: 'env-1', handoff: 'execution-1' }]);
    bench.abort.abort();
    await expect(running).rejects.toThrow();
    expect(await bench.rows.list({})).toEqual([]);
  });

  test('that answers without end is a failure', async () => {
    register('head -c 3000000 /dev/zero | tr "\\0" x');
    expect(await bench.fails('mine')).toMatchObject({ message: 'mine answered with more than 2097152 bytes' });
  });

  describe('in a sandbox', () => {
    let home: string;
    let closed: (readonly string[])[];
    beforeEach(async () => {
      home = path.join(bench.root, 'home');
      mkdirSync(home);
      const chosen = await chooseSandbox('auto', bench.environment.PATH);
      const confinements = new Confinements(home, {
        choose: async () => chosen,
        networkOf: async () => [],
        setupRights: async () => 'workspace-write',
        forbiddenScope: async () => 'read-only',
      });
      expect((await confinements.holding()).holds).toBe(true);
      closed = [];
      bench.confine = async (cwd, of) => {
        const held = await confinements.registered(cwd, of);
        const end = async (): Promise<void> => {
          await held?.end();
          closed.push(of.hosts);
        };
        return held && { ...held, end };
      };
    });

    test('cannot write when it only looks, and never reaches what is elsewhere', async () => {
      bench.write('seen.txt', 'seen');
      bench.write('../home/token', 'secret');
      const script = `(cat seen.txt ${home}/token; echo x > made.txt; echo x > ${bench.root}/outside.txt) 2>/dev/null; exit 0`;
      register(script);
      expect(await bench.gives('mine')).toBe('seen');
      expect(existsSync(path.join(bench.folder, 'made.txt'))).toBe(false);
      register(script, { risk: 'write' });
      expect(await bench.gives('mine')).toBe('seen');
      expect(existsSync(path.join(bench.folder, 'made.txt'))).toBe(true);
      expect(existsSync(path.join(bench.root, 'outside.txt'))).toBe(false);
    });

    test('has a way out only to the hosts that are named, and only while it runs', async () => {
      const script = 'printenv HTTPS_PROXY || echo none';
      register(script);
      expect(await bench.gives('mine')).toBe('none\n');
      register(script, { network: ['api.example.com'] });
      expect(await bench.gives('mine')).toMatch(/^http:/);
      expect(closed).toEqual([[], ['api.example.com']]);
    });

    test('speaks the Model Context Protocol all the same', async () => {
      // In one file: what lies beside the checkout cannot be seen from inside.
      const server = path.join(bench.root, 'bin/mcp-server.mjs');
      const source = path.join(import.meta.dirname, 'mcp-server.mjs');
      const banner = {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      };
      await build({ entryPoints: [source], outfile: server, bundle: true, platform: 'node', format: 'esm', banner });
      const command: [string, ...string[]] = [process.execPath, server];
      bench.tools.surroundings = { mcp: { command }, risk: 'read_only' };
      expect(await bench.gives('surroundings')).toMatchObject({ cwd: bench.folder });
    });

    test('that does not hold is not run at all', async () => {
      bench.confine = async () => {
        throw new BatonError('SANDBOX_UNAVAILABLE', 'sandbox.mode is bwrap, but there is none', {});
      };
      register('touch ran');
      expect(await bench.fails('mine')).toEqual({
        error_type: 'ToolError',
        message: 'mine is not run: sandbox.mode is bwrap, but there is none',
        recoverable: false,
      });
      expect(existsSync(path.join(bench.folder, 'ran'))).toBe(false);
    });

    test('runs where there is no folder', async () => {
      register('pwd');
      const tool = (await bench.toolbox()).find('mine');
      expect(await tool?.run({}, { ...bench.around, folder: null })).toEqual({ result: '/\n', evidence: [] });
    });
  });
});

describe('an address', () => {
  let server: Server;
  let url: string;
  let answer: (request: IncomingMessage, body: string, response: ServerResponse) => void;
  beforeEach(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      answer(request, body, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tool`;
    bench.tools.mine = { url, risk: 'read_only', allow_private: true };
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('gets the parameters and the headers it needs, and answers with JSON or text', async () => {
    bench.tools.mine = { url, risk: 'read_only', allow_private: true, header_env: { 'x-key': 'WANTED' } };
    answer = ({ method, headers }, body, response) =>
      response.end(
        JSON.stringify({ method, key: headers['x-key'], type: headers['content-type'], body: JSON.parse(body) }),
      );
    expect(await bench.use('mine', { table: 'users' })).toEqual({
      result: { method: 'POST', key: 'wanted', type: 'application/json', body: { table: 'users' } },
      evidence: [],
    });
    answer = (_request, _body, response) => response.end('plain');
    expect(await bench.gives('mine')).toBe('plain');
  });

  test.each([
    [500, 'ToolError', true],
    [429, 'ToolError', true],
    [400, 'ToolError', true],
    [401, 'ToolError', false],
    [403, 'ToolError', false],
    [404, 'ToolNotFound', false],
    [302, 'ToolError', false],
  ])('that answers %i is a %s, recoverable: %s', async (status, error_type, recoverable) => {
    answer = (_request, _body, response) => response.writeHead(status, { location: `${url}/elsewhere` }).end('why');
    expect(await bench.fails('mine')).toMatchObject({ error_type, recoverable, details: { status } });
  });

  test('that is private, slow, gone or lacks its key is a failure', async () => {
    bench.tools.mine = { url, risk: 'read_only' };
    expect(await bench.fails('mine')).toEqual({
      error_type: 'ToolError',
      message: 'mine is not asked: 127.0.0.1 is a private address; set allow_private if that is meant',
      recoverable: false,
    });
    bench.tools.mine = { url, risk: 'read_only', allow_private: true, header_env: { 'x-key': 'UNSET' } };
    expect(await bench.fails('mine')).toMatchObject({ message: 'mine cannot be asked: UNSET is not set' });
    bench.tools.mine = { url, risk: 'read_only', allow_private: true, timeout_seconds: 1 };
    answer = () => {};
    expect(await bench.fails('mine')).toMatchObject({ error_type: 'ToolTimeout', recoverable: true });
    bench.tools.mine = { url: 'http://127.0.0.1:9/', risk: 'read_only', allow_private: true };
    expect(await bench.fails('mine')).toMatchObject({ error_type: 'ToolError', recoverable: true });
  });

  test('that is aborted rejects', async () => {
    answer = () => bench.abort.abort();
    await expect(bench.use('mine')).rejects.toThrow();
  });
});
