/** Undefined means without limit. */
export type ResourceLimits = {
  /** Of each process; of all together where control groups can be had. */
  memoryBytesMax?: number;
  /** Of all together. */
  processesMax?: number;
  /** Of each file. */
  fileBytesMax?: number;
  /** Of each process. */
  cpuSecondsMax?: number;
  /** Of each private folder (home, /tmp, …), which lie in memory. */
  scratchBytesMax?: number;
};

const GIBIBYTE = 1024 ** 3;
export const LIMITS_DEFAULT: ResourceLimits = {
  memoryBytesMax: 16 * GIBIBYTE,
  processesMax: 2_000,
  fileBytesMax: 16 * GIBIBYTE,
  scratchBytesMax: 4 * GIBIBYTE,
};

/** POSIX counts files in blocks of 512 bytes; data is counted in KiB. */
const FILE_BLOCK = 512;
const KIBIBYTE = 1024;

/**
 * As lines of a shell. One that cannot be set is passed over: it cannot because a stricter one holds already, or
 * because this shell does not know it, as with `-u` and `-p`. Memory is the data of a process, not its address space,
 * which engines such as V8 reserve by the terabyte.
 */
export function limitLines(limits: ResourceLimits, { ownUserNamespace }: { ownUserNamespace: boolean }): string[] {
  const { memoryBytesMax, processesMax, fileBytesMax, cpuSecondsMax } = limits;
  const wanted: [option: string, value: number | undefined][] = [
    ['-c', 0],
    ['-d', memoryBytesMax && Math.ceil(memoryBytesMax / KIBIBYTE)],
    ['-f', fileBytesMax && Math.ceil(fileBytesMax / FILE_BLOCK)],
    ['-t', cpuSecondsMax && Math.ceil(cpuSecondsMax)],
    // Outside a user namespace of its own this would count all processes of the user.
    ['-u', ownUserNamespace ? processesMax : undefined],
    ['-p', ownUserNamespace ? processesMax : undefined],
  ];
  return wanted.flatMap(([option, value]) =>
    value === undefined ? [] : [`ulimit ${option} ${value} 2>/dev/null || :`],
  );
}
