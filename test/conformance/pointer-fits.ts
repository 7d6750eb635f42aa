/** Does the pointer lie on the path? `*` stands for any one step. */
export function pointerFits(pointer: string, path: string): boolean {
  const [steps, wanted] = [pointer.split('/'), path.split('/')];
  return steps.length === wanted.length && wanted.every((step, index) => step === '*' || step === steps[index]);
}
