import type { Condition, Refusal } from './refused-calls.js';
import { ARCHITECTURES, type Architecture, SYSTEM_CALLS } from './system-calls.js';

/** One instruction of the kernel's classic BPF: struct sock_filter. */
export type Instruction = { code: number; jumpTrue: number; jumpFalse: number; value: number };

export const LOAD = 0x20; // a word of struct seccomp_data
export const IF_EQUAL = 0x15;
export const IF_AT_LEAST = 0x35;
export const IF_ANY_BIT = 0x45;
export const RETURN = 0x06;

const OFFSET = { call: 0, architecture: 4, arguments: 16 };
const ARGUMENT_BYTES = 8;
const INSTRUCTION_BYTES = 8;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
const EPERM = 1;
/** Calls of the x32 ABI carry this bit; they are the same calls by other numbers. */
const X32 = 0x40000000;

const does = (code: number, value: number, jumpTrue = 0, jumpFalse = 0): Instruction => {
  return { code, jumpTrue, jumpFalse, value };
};
const refuse = (errno: number): Instruction => does(RETURN, ERRNO | errno);

/** Allows everything but what is refused; calls of another architecture than this one are all refused. */
export function filterInstructions(architecture: Architecture, refusals: readonly Refusal[]): Instruction[] {
  const { audit } = ARCHITECTURES[architecture];
  return [
    does(LOAD, OFFSET.architecture),
    does(IF_EQUAL, audit, 1, 0),
    refuse(EPERM),
    does(LOAD, OFFSET.call),
    does(IF_AT_LEAST, X32, 0, 1),
    refuse(EPERM),
    ...refusals.flatMap((refusal) => refusalInstructions(architecture, refusal)),
    does(RETURN, ALLOW),
  ];
}

/** As bytes for `bwrap --seccomp`, in the byte order of both architectures. */
export function buildFilter(architecture: Architecture, refusals: readonly Refusal[]): Buffer {
  const instructions = filterInstructions(architecture, refusals);
  const bytes = Buffer.alloc(instructions.length * INSTRUCTION_BYTES);
  instructions.forEach(({ code, jumpTrue, jumpFalse, value }, index) => {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(jumpTrue, at + 2);
    bytes.writeUInt8(jumpFalse, at + 3);
    bytes.writeUInt32LE(value >>> 0, at + 4);
  });
  return bytes;
}

/** A block per call that ends where the next begins, with the call's number loaded: so every jump is short. */
function refusalInstructions(architecture: Architecture, { calls, when = [], errno }: Refusal): Instruction[] {
  const { column } = ARCHITECTURES[architecture];
  return calls.flatMap((call) => {
    const number: number | null = SYSTEM_CALLS[call][column];
    if (number === null) return [];
    if (when.length === 0) return [does(IF_EQUAL, number, 0, 1), refuse(errno)];
    const tests = conditionInstructions(when);
    return [does(IF_EQUAL, number, 0, tests.length + 2), ...tests, refuse(errno), does(LOAD, OFFSET.call)];
  });
}

/** Falls through when all conditions hold; else jumps over the refusal that follows. */
function conditionInstructions(conditions: readonly Condition[]): Instruction[] {
  const blocks = conditions.map((condition) => {
    const load = does(LOAD, OFFSET.arguments + condition.argument * ARGUMENT_BYTES);
    if ('hasAnyBitOf' in condition) return [load, { ...does(IF_ANY_BIT, condition.hasAnyBitOf), leaves: 'jumpFalse' }];
    if ('is' in condition) return [load, { ...does(IF_EQUAL, condition.is), leaves: 'jumpFalse' }];
    return [load, ...condition.isNoneOf.map((value) => ({ ...does(IF_EQUAL, value), leaves: 'jumpTrue' }))];
  });
  const all = blocks.flat();
  return all.map(({ code, value, ...rest }, index) => {
    const overRefusal = all.length - index;
    if (!('leaves' in rest)) return does(code, value);
    return rest.leaves === 'jumpTrue' ? does(code, value, overRefusal, 0) : does(code, value, 0, overRefusal);
  });
}
