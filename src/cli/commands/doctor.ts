import { BatonError } from '../../contracts/shared/errors.js';
import { nearest } from '../../core/kernel/edit-distance.js';
import { homeFolder, userFolder } from '../../settings/home.js';
import type { Parsed, RunCommand } from '../command.js';
import { CHECKS, examine } from '../doctor/examine.js';
import type { DoctorEnv } from '../doctor/finding.js';
import type { Probe } from '../doctor/probe.js';
import { readyAgents, renderFindings } from '../doctor/render.js';
import { sandboxFix } from '../doctor/sandbox-fix.js';
import { systemProbe } from '../doctor/system-probe.js';
import type { Io } from '../io.js';
import { isUtf8 } from '../locale.js';

export function doctorWith(trySandbox: Probe['trySandbox']): RunCommand {
  return (parsed, io) => diagnose(parsed, io, systemProbe(io.env, trySandbox));
}

export async function diagnose({ values }: Parsed, io: Io, probe: Probe): Promise<number> {
  const env: DoctorEnv = { probe, env: io.env, home: homeFolder(io), userHome: userFolder(io.env) };
  const topic = values['show-fix'];
  if (typeof topic === 'string') return showFix(topic, env, io, values.json === true);
  const findings = await examine(env);
  const ready = readyAgents(findings);
  const ok = ready.length > 0;
  if (values.json) io.out(`${JSON.stringify({ ok, ready, findings })}\n`);
  else io.out(renderFindings(findings, { utf8: isUtf8(io.env), colour: io.terminal.out }));
  return ok ? 0 : 1;
}

async function showFix(topic: string, env: DoctorEnv, io: Io, json: boolean): Promise<number> {
  const commands = await repairs(topic, env);
  if (json) io.out(`${JSON.stringify({ topic, commands })}\n`);
  else io.out(commands.length > 0 ? `${commands.join('\n')}\n` : `${topic} needs no repair\n`);
  return 0;
}

async function repairs(topic: string, env: DoctorEnv): Promise<string[]> {
  if (topic === 'sandbox') return sandboxFix(env);
  const checks = CHECKS.filter((named) => named.topic === topic);
  if (checks.length === 0) throw unknownTopic(topic);
  return (await examine(env, { checks })).flatMap(({ fix }) => fix ?? []);
}

function unknownTopic(topic: string): BatonError {
  const topics = CHECKS.map((named) => named.topic);
  const suggestion = nearest(topic, topics);
  const offer = suggestion ? `Did you mean: ${suggestion}?` : `Topics: ${topics.join(', ')}.`;
  return new BatonError('USAGE', `Unknown topic: ${topic}. ${offer}`, suggestion ? { suggestion } : undefined);
}
