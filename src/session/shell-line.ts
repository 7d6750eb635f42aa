/** The line that a shell of the system is given as a command: `sh -c 'ls -l'`. */
export function shellLineIn(argv: readonly string[]): string | undefined {
  const [program = '', option = '', line] = argv;
  const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/.test(program) && /^-l?c$/.test(option);
  return isShell && argv.length === 3 ? line : undefined;
}
