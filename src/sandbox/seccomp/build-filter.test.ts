import { describe, expect, test } from 'vitest';
import { buildFilter, filterInstructions, IF_ANY_BIT, IF_AT_LEAST, IF_EQUAL, LOAD, RETURN } from './build-filter.js';
import { REFUSED_CALLS } from './refused-calls.js';
import { ARCHITECTURES, type Architecture, SYSTEM_CALLS, type SystemCall } from './system-calls.js';

const ALLOWED = 0;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const CALL_NUMBERS_MAX = 600;

type Call = { audit: number; number: number; args: readonly (number | bigint)[] };

/** Does with the bytes what the kernel does, and answers with the errno. */
function verdict(bytes: Buffer, { audit, number, args }: Call): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(audit, 4);
  args.forEach((argument, index) => {
    data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(argument)), 16 + 8 * index);
  });
  let loaded = 0;
  for (let at = 0; at < bytes.length; at += 8) {
    const [code, value] = [bytes.readUInt16LE(at), bytes.readUInt32LE(at + 4)];
    const jump = (holds: boolean): void => {
      at += 8 * bytes.readUInt8(at + (holds ? 2 : 3));
    };
    if (code === LOAD) loaded = data.readUInt32LE(value);
    else if (code === IF_EQUAL) jump(loaded === value);
    else if (code === IF_AT_LEAST) jump(loaded >= value);
    else if (code === IF_ANY_BIT) jump((loaded & value) !== 0);
    else if (code === RETURN) return value === 0x7fff0000 ? ALLOWED : value & 0xffff;
    else throw new Error(`the kernel knows no ${code}`);
  }
  throw new Error('the filter has no end');
}

const JUDGED = [
  ['clone', [0x00000011], ALLOWED],
  ['clone', [0x003d0f00], ALLOWED], // a thread
  ['clone', [0x10000011], EPERM],
  ['clone', [0x00020011], EPERM],
  ['clone', [0x02000011], EPERM],
  ['unshare', [0x00000400], ALLOWED],
  ['unshare', [0x40000000], EPERM],
  ['unshare', [0x00000080], EPERM],
  ['clone3', [0, 0], ENOSYS],
  ['ioctl', [0, 0x5401], ALLOWED],
  ['ioctl', [0, 0x5412], EPERM],
  ['ioctl', [0, 0x541c], EPERM],
  // The kernel takes the lower half as the command, whatever is in the upper one.
  ['ioctl', [0, 0x1_0000_5412n], EPERM],
  ['ioctl', [0, 0xffff_ffff_0000_541cn], EPERM],
  ['socket', [1], ALLOWED],
  ['socket', [2], ALLOWED],
  ['socket', [10], ALLOWED],
  ['socket', [16], ALLOWED],
  ['socket', [17], EAFNOSUPPORT],
  ['socket', [38], EAFNOSUPPORT],
  ['socket', [40], EAFNOSUPPORT],
  ['fchmod', [3, 0o755], ALLOWED],
  ['fchmod', [3, 0o4755], EPERM],
  ['fchmodat', [3, 0, 0o2755], EPERM],
  ['fchmodat2', [3, 0, 0o4755], EPERM],
  ['openat', [3, 0, 0o101, 0o644], ALLOWED],
  ['openat', [3, 0, 0o101, 0o4755], EPERM],
  ['openat', [3, 0, 0o20200002, 0o4755], EPERM],
  ['openat', [3, 0, 0, 0o4755], ALLOWED], // without O_CREAT there is only rubbish in the register
  ['mknodat', [3, 0, 0o106755], EPERM],
] as const;

describe.each(['x64', 'arm64'] as const)('the filter for %s', (architecture: Architecture) => {
  const { audit, column } = ARCHITECTURES[architecture];
  const bytes = buildFilter(architecture, REFUSED_CALLS);
  const ask = (name: SystemCall, ...args: (number | bigint)[]): number | undefined => {
    const number: number | null = SYSTEM_CALLS[name][column];
    return number === null ? undefined : verdict(bytes, { audit, number, args });
  };

  test('is one that the kernel takes', () => {
    const instructions = filterInstructions(architecture, REFUSED_CALLS);
    expect(instructions.length).toBeLessThanOrEqual(4096);
    for (const [index, { code, jumpTrue, jumpFalse }] of instructions.entries()) {
      if (code === RETURN) continue;
      expect(Math.max(jumpTrue, jumpFalse)).toBeLessThanOrEqual(255);
      expect(index + 1 + Math.max(jumpTrue, jumpFalse)).toBeLessThan(instructions.length);
    }
    expect(instructions.at(-1)?.code).toBe(RETURN);
  });

  test('refuses exactly what the table says, of all calls there are', () => {
    const always = REFUSED_CALLS.filter(({ when }) => !when).flatMap(({ calls, errno }) => {
      return calls.map((name) => [SYSTEM_CALLS[name][column] as number | null, errno] as const);
    });
    const expected = new Map(always);
    for (let number = 0; number < CALL_NUMBERS_MAX; number += 1) {
      expect([number, verdict(bytes, { audit, number, args: [] })]).toEqual([
        number,
        expected.get(number) ?? refusedBare(number),
      ]);
    }
  });
  /** A socket of family 0 is none that is allowed. */
  const refusedBare = (number: number): number => (number === SYSTEM_CALLS.socket[column] ? EAFNOSUPPORT : ALLOWED);

  test('refuses everything of another architecture and of the x32 ABI', () => {
    const number = SYSTEM_CALLS.openat[column];
    expect(verdict(bytes, { audit: 0x40000003, number, args: [] })).toBe(EPERM);
    expect(verdict(bytes, { audit, number: number | 0x40000000, args: [] })).toBe(EPERM);
    expect(verdict(bytes, { audit, number: -1, args: [] })).toBe(EPERM);
  });

  test.each(JUDGED)('judges %s %s rightly: %i', (name, args, errno) => {
    expect(ask(name, ...args)).toBe(errno);
  });
});
