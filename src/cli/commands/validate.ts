import { isContractName } from '../../contracts/contract-names.js';
import { type AnyContract, check, checkAgainst } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { BYTES_MAX, readJson } from '../../contracts/shared/read-json.js';
import { type Denial, deny, type Verdict } from '../../contracts/shared/verdict.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { evidenceDenial } from '../validate/evidence-files.js';
import { type Format, type Judged, RENDERERS } from '../validate/formats.js';
import { linePayloads, onePayload, type Payload } from '../validate/payloads.js';
import { readInput } from '../validate/read-input.js';

/** Loads one contract, so that a check starts without the other forty. */
export type LoadContract = (name: string) => AnyContract;

type Request = {
  contract: AnyContract;
  strict: boolean;
  lines: boolean;
  workspace: string | undefined;
  earlier: { value: unknown } | undefined;
};

export async function runValidate({ positionals, values }: Parsed, io: Io, load: LoadContract): Promise<number> {
  const [name = '', ...given] = positionals;
  const files = given.length === 0 ? ['-'] : given;
  const format = (values.format ?? 'json') as Format;
  const list: Judged[] = [];
  const alone = files.length === 1 && !values.lines;
  for await (const judged of judgeAll(name, files, values, io, load)) {
    list.push(judged);
    io.out(RENDERERS[format].one?.(judged, alone) ?? '');
  }
  io.out(RENDERERS[format].all?.(list) ?? '');
  return list.length > 0 && list.every(({ verdict }) => verdict.allow) ? 0 : 1;
}

async function* judgeAll(
  name: string,
  files: readonly string[],
  values: Parsed['values'],
  io: Io,
  load: LoadContract,
): AsyncIterable<Judged> {
  const request = await prepare(name, values, io, load);
  for (const file of files) {
    if ('denial' in request) yield { contract: name, file, verdict: request.denial };
    else yield* judgeFile(request, file, io);
  }
}

/** What is wrong with the request itself is a verdict too: a check that cannot run refuses. */
async function prepare(
  name: string,
  values: Parsed['values'],
  io: Io,
  load: LoadContract,
): Promise<Request | { denial: Denial }> {
  if (!isContractName(name)) {
    return {
      denial: deny('MISSING_VALIDATOR', `there is no contract named ${JSON.stringify(name)}`, { contract: name }),
    };
  }
  const workspace = values.workspace as string | undefined;
  if (workspace !== undefined && name !== 'agent-response') {
    throw new BatonError('USAGE', `--workspace is for agent-response, not for ${name}`);
  }
  const contract = load(name);
  const against = values.against as string | undefined;
  if (against === undefined) return { contract, ...flags(values), workspace, earlier: undefined };
  if (!contract.against) throw new BatonError('USAGE', `--against has no meaning for ${name}`);
  const earlier = await readEarlier(load(contract.against.contract), against, io);
  return 'denial' in earlier ? earlier : { contract, ...flags(values), workspace, earlier };
}

function flags(values: Parsed['values']): { strict: boolean; lines: boolean } {
  return { strict: values.strict === true, lines: values.lines === true };
}

async function readEarlier(
  contract: AnyContract,
  file: string,
  io: Io,
): Promise<{ value: unknown } | { denial: Denial }> {
  const read = await readPayload(contract, file, io);
  if ('denial' in read) return read;
  const verdict = check(contract, read.value);
  if (verdict.allow) return read;
  return { denial: deny(verdict.code, `--against ${file}: ${verdict.reason}`, { ...verdict.details, file }) };
}

async function readPayload(
  contract: AnyContract,
  file: string,
  io: Io,
): Promise<{ value: unknown } | { denial: Denial }> {
  try {
    const payload = await onePayload(readInput(file, io), contract.bytesMax ?? BYTES_MAX);
    return 'denial' in payload ? payload : readJson(payload.bytes, contract.bytesMax);
  } catch (failure) {
    return { denial: asDenial(failure) };
  }
}

async function* judgeFile(request: Request, file: string, io: Io): AsyncIterable<Judged> {
  const { contract } = request;
  const place = { contract: contract.name, file };
  if (!request.lines) {
    const read = await readPayload(contract, file, io);
    yield { ...place, verdict: 'denial' in read ? read.denial : judge(request, read.value) };
    return;
  }
  const bytesMax = contract.bytesMax ?? BYTES_MAX;
  try {
    for await (const payload of linePayloads(readInput(file, io), bytesMax)) {
      yield { ...place, line: payload.line ?? 1, verdict: judgePayload(request, payload) };
    }
  } catch (failure) {
    yield { ...place, verdict: asDenial(failure) };
  }
}

function judgePayload(request: Request, payload: Payload): Verdict {
  if ('denial' in payload) return payload.denial;
  const read = readJson(payload.bytes, request.contract.bytesMax);
  return 'denial' in read ? read.denial : judge(request, read.value);
}

function judge({ contract, strict, earlier, workspace }: Request, value: unknown): Verdict {
  const verdict = check(contract, value, { strict });
  if (!verdict.allow) return verdict;
  if (earlier) {
    const compared = checkAgainst(contract, value as never, earlier.value);
    if (!compared.allow) return compared;
  }
  const missing = workspace && evidenceDenial(workspace, (value as { evidence_files: string[] }).evidence_files);
  return missing || verdict;
}

function asDenial(failure: unknown): Denial {
  if (failure instanceof BatonError) return deny(failure.code, failure.message, failure.details);
  return deny('VALIDATOR_FAILED', `the check failed: ${failure instanceof Error ? failure.message : String(failure)}`);
}
