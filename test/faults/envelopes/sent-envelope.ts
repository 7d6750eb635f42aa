import type { Envelope } from '../../../src/contracts/generated/types/envelope.js';
import { CLARIFIED, SCRIPTS, type Script } from './envelope-scripts.js';

export type Question = { envelope: Envelope; epoch: number };

const BOUNDS = { max_iterations: 20, max_llm_calls: 100, max_agent_hops: 300 };

/** One envelope as whoever sent it knows it: what is sent next, what it was asked, and what came of it. */
export class SentEnvelope {
  readonly id: string;
  readonly scriptName: string;
  readonly first: Envelope;
  /** What is sent, again and again, until something comes back. */
  input: Envelope;
  /** Waits for an answer since a program that may be dead by now. */
  question: Question | null = null;
  readonly answered: Question[] = [];
  result: string | null = null;
  readonly problems: string[] = [];

  /** `digits`: sixteen of them. */
  constructor(digits: string, scriptName: string) {
    this.id = `env_${digits}`;
    this.scriptName = scriptName;
    this.first = {
      ...{ envelope_id: this.id, request_id: `req_${digits}`, user_id: 'somebody', session_id: `sess_${digits}` },
      ...{ raw_input: `Do as ${scriptName} says`, received_at: '2026-01-01T00:00:00.000Z', outputs: {} },
      ...{ current_stage: 'start', terminated: false, ...BOUNDS, metadata: { script: scriptName } },
    };
    this.input = this.first;
  }

  get script(): Script {
    return SCRIPTS[this.scriptName] as Script;
  }

  /** What came back, and from the how-manieth program. */
  hear(envelope: Envelope, epoch: number): void {
    const text = JSON.stringify(envelope);
    if (envelope.terminated) {
      if (this.result !== null && this.result !== text) this.problems.push(`${this.id} has ended in two ways`);
      this.result = text;
    } else if (envelope.clarification_pending || envelope.confirmation_pending) {
      const { question } = this;
      if (question && JSON.stringify(question.envelope) !== text) this.problems.push(`${this.id} is asked in two ways`);
      this.question = question ?? { envelope, epoch };
    } else {
      this.problems.push(`${this.id} came back at ${envelope.current_stage}, and nothing is asked`);
    }
  }

  /** Sent back with the answer in it from now on. */
  answer(): void {
    const envelope = this.close();
    this.input = envelope.clarification_pending
      ? { ...envelope, clarification_response: CLARIFIED }
      : { ...envelope, confirmation_response: this.script.agrees };
  }

  /** As `baton answer` says it. Afterwards the envelope is sent as it was at first. */
  answerInInbox(): readonly string[] {
    const envelope = this.close();
    this.input = this.first;
    if (envelope.clarification_pending) return ['--text', CLARIFIED];
    return [this.script.agrees ? '--approve' : '--deny'];
  }

  private close(): Envelope {
    const { question } = this;
    if (!question) throw new Error(`${this.id} is asked nothing`);
    this.answered.push(question);
    this.question = null;
    return question.envelope;
  }
}
