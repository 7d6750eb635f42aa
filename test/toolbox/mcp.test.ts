import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processSource } from '../../src/sandbox/process-source.js';
import { Bench } from './bench.js';

const SERVER = path.join(import.meta.dirname, 'mcp-server.mjs');
const TOOLS = ['add', 'structured', 'picture', 'broken', 'slow', 'dies', 'leaves', 'surroundings'];

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('a server on standard input and output', () => {
  beforeEach(() => {
    const mcp = { command: [process.execPath, SERVER] as [string, ...string[]] };
    for (const tool of TOOLS)
      bench.tools[`small.${tool}`] = { mcp, tool, risk: 'read_only', env: ['WANTED', 'BATON_TOKEN'] };
    bench.tools.add = { mcp, risk: 'read_only' };
  });

  test('is asked by its name there, or by the name it is registered with', async () => {
    expect(await bench.use('small.add', { a: 2, b: 40 })).toEqual({ result: 42, evidence: [] });
    expect(await bench.gives('add', { a: 1, b: 1 })).toBe(2);
  });

  test('gives structured content, texts as values, and other content as it is', async () => {
    expect(await bench.gives('small.structured')).toEqual({ rows: 3 });
    expect(await bench.gives('small.picture')).toEqual([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }]);
  });

  test('runs in the folder with only the variables that are named', async () => {
    const { cwd, env } = await bench.gives('small.surroundings');
    expect(cwd).toBe(bench.folder);
    expect(env).toMatchObject({ WANTED: 'wanted' });
    expect(env).not.toHaveProperty('OTHER');
    expect(env).not.toHaveProperty('BATON_TOKEN', 'never-passed-on');
  });

  test('that fails, refuses its parameters or dies is a failure that can be recovered from', async () => {
    expect(await bench.fails('small.broken')).toEqual({
      error_type: 'ToolError',
      message: 'small.broken failed: the table is locked',
      recoverable: true,
    });
    expect(await bench.fails('small.add', { a: 'x' })).toMatchObject({ error_type: 'ToolError', recoverable: true });
    expect(await bench.fails('small.dies')).toMatchObject({
      error_type: 'ToolError',
      message: 'small.dies ended with 3: out of luck',
      recoverable: true,
    });
  });

  test('that has no such tool, or cannot be started, is not found', async () => {
    const mcp = { command: [process.execPath, SERVER] as [string, ...string[]] };
    bench.tools.missing = { mcp, risk: 'read_only' };
    bench.tools.nowhere = { mcp: { command: 'no-such-program' }, risk: 'read_only' };
    const failed = await bench.fails('missing');
    expect(failed).toMatchObject({ error_type: 'ToolNotFound', recoverable: false });
    expect(failed.message).toMatch(/^the server of missing has no tool missing; it has add, structured/);
    expect(await bench.fails('nowhere')).toMatchObject({ error_type: 'ToolNotFound', recoverable: false });
  });

  test('that takes too long is ended', async () => {
    bench.tools['small.slow'] = { ...bench.tools['small.slow'], risk: 'read_only', timeout_seconds: 2 };
    expect(await bench.fails('small.slow')).toEqual({
      error_type: 'ToolTimeout',
      message: 'small.slow took longer than 2 seconds and was ended',
      recoverable: true,
    });
    expect(await bench.rows.list({})).toEqual([]);
  });

  test('leaves nothing behind', async () => {
    const pid = await bench.gives('small.leaves');
    expect(processSource.find(pid)?.zombie ?? true).toBe(true);
    expect(await bench.rows.list({})).toEqual([]);
  });

  test('that is aborted is ended, and rejects', async () => {
    const asking = bench.use('small.slow');
    const running = async (): Promise<void> => {
      while ((await bench.rows.list({})).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await running();
    bench.abort.abort();
    await expect(asking).rejects.toThrow();
    expect(await bench.rows.list({})).toEqual([]);
  });
});

describe('a server at an address', () => {
  let server: ChildProcess;
  let url: string;
  beforeEach(async () => {
    server = spawn(process.execPath, [SERVER, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = await once(server.stdout ?? server, 'data');
    url = `http://127.0.0.1:${String(port).trim()}/mcp`;
    bench.environment.SERVER_TOKEN = 'Bearer wanted';
  });
  afterEach(() => void server.kill());
  const header_env = { authorization: 'SERVER_TOKEN' };

  test('is asked with the headers it needs', async () => {
    bench.tools.add = { mcp: { url }, risk: 'read_only', header_env, allow_private: true };
    expect(await bench.use('add', { a: 2, b: 40 })).toEqual({ result: 42, evidence: [] });
    bench.tools.broken = { ...bench.tools.add };
    expect(await bench.fails('broken')).toMatchObject({ message: 'broken failed: the table is locked' });
  });

  test('is not asked at a private address unless that is meant', async () => {
    bench.tools.add = { mcp: { url }, risk: 'read_only', header_env };
    expect(await bench.fails('add', { a: 1, b: 2 })).toEqual({
      error_type: 'ToolError',
      message: 'add is not asked: 127.0.0.1 is a private address; set allow_private if that is meant',
      recoverable: false,
    });
  });

  test('that refuses, is gone, is slow or lacks its key is a failure', async () => {
    bench.tools.add = { mcp: { url }, risk: 'read_only', allow_private: true };
    expect(await bench.fails('add', { a: 1, b: 2 })).toMatchObject({
      error_type: 'ToolError',
      recoverable: false,
      details: { status: 401 },
    });
    bench.tools.add = { mcp: { url }, risk: 'read_only', header_env: { authorization: 'UNSET' }, allow_private: true };
    expect(await bench.fails('add')).toMatchObject({
      message: 'add cannot be asked: UNSET is not set',
      recoverable: false,
    });
    bench.tools.slow = { mcp: { url }, risk: 'read_only', header_env, allow_private: true, timeout_seconds: 1 };
    expect(await bench.fails('slow')).toMatchObject({ error_type: 'ToolTimeout', recoverable: true });
    bench.tools.gone = { mcp: { url: 'http://127.0.0.1:9/mcp' }, risk: 'read_only', allow_private: true };
    expect(await bench.fails('gone')).toMatchObject({ error_type: 'ToolError', recoverable: true });
  });
});
