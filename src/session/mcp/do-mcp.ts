import type { Held } from '../../engine/ports.js';
import { Aborted } from '../../workspace/run-gated.js';
import { boundedText } from '../bounded-text.js';
import type { McpPlan } from '../call-plan.js';
import { endOf, type SessionHands } from '../session-hands.js';
import type { ToolAnswer } from './mcp-connection.js';

const RESULT_CHARS_MAX = 256 * 1024;

type Asked = { held: Held; msMax: number; signal: AbortSignal };

/** Uses a tool of a server once. Rejects only when it was called off. */
export async function doMcp(hands: SessionHands, plan: McpPlan, { held, msMax, signal }: Asked) {
  const begunMs = hands.clock.monotonicMs();
  const { server, tool, arguments: given } = plan;
  const use = { server, tool, given, msMax };
  const answer = await hands.servers.call(held, use, signal).catch((problem: Error) => problem);
  if (signal.aborted) throw new Aborted(`${tool} of ${server} was called off`);
  const activeMs = Math.round(hands.clock.monotonicMs() - begunMs);
  if (answer instanceof Error) {
    const said = { success: false, result: { error: answer.message } };
    return endOf(hands, { said, output: `It failed: ${answer.message}`, success: false, isDenied: false, activeMs });
  }
  // Before anything is cut: nobody would know half of a secret again.
  const clean = JSON.parse(hands.scrub.json(answer).text) as ToolAnswer;
  const success = !clean.isError;
  const said = { success, result: boundedResult(clean) };
  const output = boundedText(hands.scrub(`${success ? '' : 'It failed: '}${textOf(clean)}`));
  return endOf(hands, { said, output, success, isDenied: false, activeMs });
}

function boundedResult({ content, structuredContent }: ToolAnswer): object {
  const whole = { content, ...(structuredContent && { structuredContent }) };
  const text = JSON.stringify(whole);
  if (text.length <= RESULT_CHARS_MAX) return whole;
  const beginning = text.slice(0, RESULT_CHARS_MAX / 2).replace(/[\ud800-\udbff]$/, '');
  return { truncated: true, left_out_chars: text.length - beginning.length, beginning };
}

/** Texts as they are; of other content only what it is: pictures are not for reading. */
function textOf({ content, structuredContent }: ToolAnswer): string {
  const parts = content.map((part) => {
    const { type, text } = part as { type: string; text?: string };
    return type === 'text' ? (text ?? '') : `[${type}]`;
  });
  const text = parts.join('\n');
  return text === '' && structuredContent ? JSON.stringify(structuredContent) : text;
}
