import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Envelope } from '../../../src/contracts/generated/types/envelope.js';
import { WORKERS } from '../jobs/job-agents.js';
import { configure, type Grounds, LEFT, layGrounds, ProgramStage, type StageOptions } from '../jobs/program-stage.js';
import type { Exit, ProgramProcess } from '../stage/program-process.js';
import { within } from '../stage/waiting.js';
import { EnvelopeAgents } from './envelope-agents.js';
import { LOOKS, WRITES } from './envelope-scripts.js';
import { SentEnvelope } from './sent-envelope.js';

const PIPELINE = 'six';
const READY_MS_MAX = 30_000;
const [WAITS, REFUSED] = [3, 'refused'];
/** So many agents of one name at once. */
const AT_ONCE = 8;

type Answer = Envelope | { error: true; code: string; message: string };

/** Envelopes on their way, the agents of their stages, and the real program in its two shapes. */
export class EnvelopeStage extends ProgramStage {
  readonly agents: EnvelopeAgents;
  readonly sent: SentEnvelope[] = [];
  /** How many programs have been started; the last one is the one that is heard now. */
  epoch = 0;

  private constructor(grounds: Grounds) {
    super(grounds);
    this.agents = new EnvelopeAgents(grounds.folder, this.token);
    const tool = (name: string, risk: string) => ({ [name]: { command: [this.agents.command(name)], risk } });
    configure(this.home, {
      tools: { ...tool(LOOKS, 'read_only'), ...tool(WRITES, 'write') },
      concurrency: { per_login: AT_ONCE, per_agent: AT_ONCE },
    });
    mkdirSync(path.join(this.home, 'pipelines'));
    writeFileSync(
      path.join(this.home, 'pipelines', `${PIPELINE}.json`),
      JSON.stringify(pipeline((agent) => this.nameOf(agent))),
    );
  }

  static async set(options: StageOptions): Promise<EnvelopeStage> {
    const stage = new EnvelopeStage(await layGrounds(options));
    for (const name of WORKERS) await stage.register(name, stage.agents.command(name));
    return stage;
  }

  add(script: string): SentEnvelope {
    const envelope = new SentEnvelope(`${this.token}${String(this.sent.length + 1).padStart(6, '0')}`, script);
    this.sent.push(envelope);
    return envelope;
  }

  get open(): SentEnvelope[] {
    return this.sent.filter(({ result }) => result === null);
  }

  /** `baton envelope process --lines`, or without it for one alone. */
  startCommand(envelopes: readonly SentEnvelope[]): ProgramProcess {
    const epoch = this.begin();
    const file = path.join(this.folder, `sent-${epoch}.ndjson`);
    writeFileSync(file, envelopes.map(({ input }) => `${JSON.stringify(input)}\n`).join(''));
    const lines = envelopes.length === 1 ? [] : ['--lines'];
    const words = ['--pipeline', PIPELINE, '--repo', this.repository.folder];
    const hear = (line: string): void => this.hear(wholeAnswer(line), epoch);
    return this.start(`command-${epoch}`, ['envelope', 'process', file, ...lines, ...words], undefined, hear);
  }

  /** `baton serve`, to which each envelope is sent by itself. */
  async startServer(envelopes: readonly SentEnvelope[]): Promise<ProgramProcess> {
    const epoch = this.begin();
    let url = '';
    const words = ['serve', '--port', '0', '--json', '--log-level', 'error'];
    const server = this.start(`server-${epoch}`, words, undefined, (line) => {
      ({ url } = JSON.parse(line) as { url: string });
    });
    if (!(await within(READY_MS_MAX, () => url !== '' || server.exit !== undefined))) {
      this.problems.push(`${server.name} did not start: ${server.last.join(' / ')}`);
    }
    void this.sendTo(url, envelopes, epoch);
    return server;
  }

  /** Resolves when an answer has come for each of them, or none will. */
  async sendTo(url: string, envelopes: readonly SentEnvelope[], epoch: number): Promise<void> {
    await Promise.all(envelopes.map(({ input }) => this.post(url, input, epoch)));
  }

  /** What comes back for these documents, line by line as it was printed; refusals as well. */
  async answersTo(documents: readonly object[]): Promise<string[]> {
    const file = path.join(this.folder, 'again.ndjson');
    writeFileSync(file, documents.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const lines: string[] = [];
    const words = ['envelope', 'process', file, '--lines'];
    await this.start(REFUSED, words, undefined, (line) => lines.push(line)).ended;
    return lines;
  }

  async answerInInbox(envelope: SentEnvelope): Promise<void> {
    const items = await this.store.inbox({ open: true, limit: 1_000 });
    const item = items.find(({ run }) => run === envelope.id);
    if (!item) {
      this.problems.push(`${envelope.id} waits for an answer, and nothing is in the inbox`);
      return envelope.answer();
    }
    await this.run('answer', String(item.item), ...envelope.answerInInbox());
  }

  protected override isFine(name: string, exit: Exit): boolean {
    return super.isFine(name, exit) || exit.code === WAITS || name === REFUSED;
  }

  private begin(): number {
    this.epoch += 1;
    return this.epoch;
  }

  /** Nothing comes back from a server that was killed meanwhile. */
  private async post(url: string, input: Envelope, epoch: number): Promise<void> {
    const query = new URLSearchParams({ pipeline: PIPELINE, repo: this.repository.folder });
    const token = readFileSync(path.join(this.home, 'token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(input) };
    const answer = await fetch(`${url}/api/v1/process?${query}`, request)
      .then((response) => response.json())
      .catch(() => undefined);
    this.hear(answer as Answer | undefined, epoch);
  }

  private hear(answer: Answer | undefined, epoch: number): void {
    if (answer === undefined || ('code' in answer && answer.code === LEFT)) return;
    if ('error' in answer) {
      this.problems.push(`refused: ${JSON.stringify(answer).slice(0, 300)}`);
      return;
    }
    this.sent.find(({ id }) => id === answer.envelope_id)?.hear(answer as Envelope, epoch);
  }
}

/** Undefined for the beginning of a line that nobody could write to its end. */
function wholeAnswer(line: string): Answer | undefined {
  try {
    return JSON.parse(line) as Answer;
  } catch {
    return undefined;
  }
}

/** The six stages of the contract, each with another agent, and a tool that somebody has to agree to. */
function pipeline(nameOf: (agent: string) => string): object {
  const stage = (name: string, more: object, default_next: string) => ({
    name,
    output_key: name,
    default_next,
    ...more,
  });
  const unclear = { field: 'clarification_needed', equals: true, to: 'clarification' };
  const verdict = (equals: string, to: string) => ({ field: 'verdict', equals, to });
  return {
    ...{ schema_version: '1.0.0', name: PIPELINE },
    stages: [
      stage('perception', { agent: nameOf('quick') }, 'intent'),
      stage('intent', { agent: nameOf('slow'), required: ['goals'], rules: [unclear] }, 'plan'),
      stage('plan', { agent: nameOf('grandchild'), required: ['plan_id'] }, 'execution'),
      stage('execution', { tools: ['read_file', LOOKS, WRITES] }, 'critic'),
      stage(
        'critic',
        { agent: nameOf('daemon'), rules: [verdict('reintent', 'intent'), verdict('next_stage', 'plan')] },
        'integration',
      ),
      stage('integration', { agent: nameOf('deaf') }, 'end'),
    ],
  };
}
