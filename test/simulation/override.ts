/** The same object with some methods replaced; everything else goes to the original. */
export function override<Port extends object>(port: Port, changes: Partial<Port>): Port {
  return Object.assign(Object.create(port) as Port, changes);
}
