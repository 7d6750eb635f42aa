/** Takes a path as the bytes it has on the disk; false: it wants no more. */
export type PathSink = (path: Buffer) => boolean;
