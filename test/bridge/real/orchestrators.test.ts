import { describe, expect, test } from 'vitest';
import { REQUEST_FILE, STATE_FILE } from '../../../src/contracts/bridge/bridge-file-names.js';
import { BridgeStage, FIRST_ID, OTHER_ID, responseTo, THREE_ASKS } from './bridge-stage.js';

const ROUNDS_MAX = 6;

describe('orchestrators that do not go on', () => {
  test('one that ignores --resume asks anew each time, and is ended after five rounds without progress [R198]', async () => {
    const stage = new BridgeStage();
    const agent = await stage.shell('counts', 'echo fresh');
    const { exit, err } = await stage.run(agent, stage.python('ask(request_id=str(uuid.uuid4()))'));
    expect([exit, err]).toEqual([1, expect.stringContaining('BRIDGE_NO_PROGRESS')]);
    expect(stage.asked()).toHaveLength(ROUNDS_MAX);
    expect(stage.files()).toEqual([]);
  });

  test('one that asks the same request for ever is answered from the journal: the agent is asked once', async () => {
    const stage = new BridgeStage();
    const agent = await stage.shell('counts', 'echo fresh');
    const { exit, err } = await stage.run(agent, stage.python('ask()'));
    expect([exit, err]).toEqual([1, expect.stringContaining('BRIDGE_NO_PROGRESS')]);
    expect(stage.asked()).toHaveLength(1);
  });

  test('one that asks something new each time is no such one', async () => {
    const stage = new BridgeStage();
    const text = `
done = (read(STATE) or state(rounds=0))["phase_data"]["rounds"]
if done == 12: sys.exit(0)
put(STATE, state(rounds=done + 1))
ask(request_id=str(uuid.uuid4()), prompt="Number %d. " % done + "x" * 100)`;
    expect((await stage.run(stage.says('fresh'), stage.python(text))).exit).toBe(0);
    expect((await stage.events()).filter(({ type }) => type === 'RequestTaken')).toHaveLength(12);
  });
});

describe('how an orchestrator ends is how the handler ends', () => {
  test('three asks: exit 0, and no files are left [R182] [R197] [R225]', async () => {
    const stage = new BridgeStage();
    const agent = stage.says('{"primary_language":"Go","overall_confidence":0.9}');
    const { exit } = await stage.run(agent, THREE_ASKS);
    expect([exit, stage.files()]).toEqual([0, []]);
    const types = (await stage.events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'RequestAnswered')).toHaveLength(3);
  });

  test('exit 3 after an answer: passed through, the files removed; the next start goes on with its state [R226]', async () => {
    const stage = new BridgeStage();
    const agent = await stage.shell('counts', 'echo fresh');
    const text = `
if not RESUME:
    put(STATE, state(step=1))
    ask()
assert read(STATE)["phase_data"] == {"step": 1} and read(RESPONSE)["response"] == "fresh\\n"
sys.exit(0 if os.path.exists("../mended") else 3)`;
    const command = stage.python(text);
    const failed = await stage.run(agent, command);
    expect([failed.exit, failed.err]).toEqual([3, expect.stringContaining('goes on from it')]);
    expect(stage.files()).toEqual([]);
    stage.beside('mended', '');
    const { exit, err } = await stage.run(agent, command);
    expect([exit, err]).toEqual([0, '']);
    expect(stage.asked()).toHaveLength(1);
    expect(stage.files()).toEqual([]);
  });

  test.each([
    ['SIGKILL', 137],
    ['SIGTERM', 143],
    ['SIGSEGV', 139],
    ['SIGUSR1', 138],
  ])('%s: as a shell says it', async (signal, code) => {
    const stage = new BridgeStage();
    const { exit } = await stage.run(stage.says('x'), stage.python(`os.kill(os.getpid(), signal.${signal})`));
    expect(exit).toBe(code);
  });

  test('killed between its state and its request: the next start asks under the same id [R199]', async () => {
    const stage = new BridgeStage();
    const agent = await stage.shell('counts', 'echo fresh');
    const text = `
if read(RESPONSE): sys.exit(0)
put(STATE, state(id=(read(STATE) or state(id=str(uuid.uuid4())))["phase_data"]["id"]))
if not RESUME: os.kill(os.getpid(), signal.SIGKILL)
ask(request_id=read(STATE)["phase_data"]["id"])`;
    expect((await stage.run(agent, stage.python(text))).exit).toBe(137);
    expect(stage.files()).toEqual([]);
    expect((await stage.run(agent, stage.python(text))).exit).toBe(0);
    expect(stage.asked()).toHaveLength(1);
  });

  test('killed after its request was written and before it ended: it is asked once', async () => {
    const stage = new BridgeStage();
    const agent = await stage.shell('counts', 'echo fresh');
    const text = `
if read(RESPONSE): sys.exit(0)
put(STATE, state())
put(REQUEST, request())
if not RESUME: os.kill(os.getpid(), signal.SIGKILL)
sys.exit(42)`;
    expect((await stage.run(agent, stage.python(text))).exit).toBe(137);
    expect((await stage.run(agent, stage.python(text))).exit).toBe(0);
    expect(stage.asked()).toHaveLength(1);
  });

  test('one that changes its folder finds its files where it began [R222]', async () => {
    const stage = new BridgeStage();
    const text = `
from baton_bridge import Bridge
bridge = Bridge()
os.chdir("/")
print(bridge.ask(1, "analysis", "reviewer", "Say what you see. " * 10).value)
bridge.finish()`;
    const { exit, out } = await stage.run(stage.says('fresh'), stage.python(text));
    expect([exit, out]).toEqual([0, 'fresh\n']);
    expect(stage.files()).toEqual([]);
  });

  test('a command that is not there: exit 1, and why', async () => {
    const stage = new BridgeStage();
    const { exit, err } = await stage.run(stage.says('fresh'), ['./no-such-program']);
    expect([exit, err]).toEqual([1, expect.stringContaining('no-such-program')]);
  });

  test('with --json standard output is one value, and the orchestrator writes to standard error', async () => {
    const stage = new BridgeStage();
    const text = 'print("hello")\nif not RESUME: ask()\nsys.exit(5)';
    const { exit, out, err } = await stage.run(stage.says('fresh'), stage.python(text), '--json');
    expect(exit).toBe(5);
    expect(JSON.parse(out)).toMatchObject({
      ...{ status: 'failed', exit_code: 5, rounds: 2, problem: null },
      requests: [{ request_id: FIRST_ID, agent_name: 'reviewer', status: 'success', error_type: null }],
    });
    expect(err.match(/hello/g)).toHaveLength(2);
  });

  test('Ctrl-C: exit 130, everything is kept, and the next start goes on', async () => {
    const stage = new BridgeStage();
    const command = stage.python('if read(RESPONSE): sys.exit(0)\nput(STATE, state())\nask()');
    const { child, ended } = stage.start(['bridge', 'run', '--agent', 'human', '--', ...command]);
    await stage.until(() => stage.has(REQUEST_FILE));
    await stage.until(async () => (await stage.status()).status === 'waiting');
    child.kill('SIGINT');
    expect((await ended).exit).toBe(130);
    expect(stage.files()).toEqual([REQUEST_FILE, STATE_FILE]);
    expect((await stage.run(stage.says('fresh'), command)).exit).toBe(0);
  });

  test('what it was given as --resume is not given twice, and a request that lies there is answered first', async () => {
    const stage = new BridgeStage();
    stage.put(STATE_FILE, {});
    const asked = { ...(responseTo(OTHER_ID) as object), status: undefined, response: undefined };
    const more = { phase: 1, phase_name: 'analysis', agent_name: 'reviewer', prompt: 'Say what you see. '.repeat(10) };
    stage.put(REQUEST_FILE, { ...asked, ...more });
    const command = [...stage.python('print(sys.argv[1:], read(RESPONSE)["request_id"])'), '--resume'];
    const { exit, out } = await stage.run(stage.says('fresh'), command);
    expect([exit, out]).toEqual([0, `['--resume'] ${OTHER_ID}\n`]);
  });
});
