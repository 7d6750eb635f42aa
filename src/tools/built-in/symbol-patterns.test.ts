import { expect, test } from 'vitest';
import { definedIn, symbolPatterns } from './symbol-patterns.js';

/** File, line, what it defines. */
// biome-ignore format: a table, one row a line
const DEFINING: readonly [file: string, line: string, kind: string, name: string][] = [
  ['a.ts', 'export async function login(user: string) {', 'function', 'login'],
  ['a.js', 'function* walk() {', 'function', 'walk'],
  ['a.ts', 'export const add = (a: number) => a;', 'function', 'add'],
  ['a.ts', 'const add: Adder = async (a) => a;', 'function', 'add'],
  ['a.mjs', 'let once = function () {', 'function', 'once'],
  ['a.ts', 'export default abstract class Shape<T> {', 'class', 'Shape'],
  ['a.ts', 'export interface Named {', 'interface', 'Named'],
  ['a.ts', 'export type Id = string;', 'type', 'Id'],
  ['a.ts', 'declare const enum Colour {', 'enum', 'Colour'],
  ['a.ts', 'export const LIMIT = 7;', 'constant', 'LIMIT'],
  ['a.tsx', '  private async load(id: string): Promise<void> {', 'method', 'load'],
  ['a.ts', '  get size(): number {', 'method', 'size'],
  ['a.py', 'async def fetch(url):', 'function', 'fetch'],
  ['a.py', '    def close(self):', 'method', 'close'],
  ['a.py', 'class Account(Base):', 'class', 'Account'],
  ['a.py', 'LIMIT: int = 7', 'constant', 'LIMIT'],
  ['a.go', 'func Serve(addr string) error {', 'function', 'Serve'],
  ['a.go', 'func (s *Server) Close() error {', 'method', 'Close'],
  ['a.go', 'type Reader interface {', 'interface', 'Reader'],
  ['a.go', 'type Server struct {', 'type', 'Server'],
  ['a.go', 'const Limit = 7', 'constant', 'Limit'],
  ['a.rs', 'pub(crate) async fn serve() {', 'function', 'serve'],
  ['a.rs', '    pub fn close(&self) {', 'method', 'close'],
  ['a.rs', 'pub struct Server<T> {', 'class', 'Server'],
  ['a.rs', 'pub trait Reads {', 'interface', 'Reads'],
  ['a.rs', 'enum Colour {', 'enum', 'Colour'],
  ['a.rs', 'pub const LIMIT: u8 = 7;', 'constant', 'LIMIT'],
  ['a.rs', 'mod tests {', 'module', 'tests'],
  ['A.java', 'public final class Account extends Base {', 'class', 'Account'],
  ['A.java', '    public static <T> List<T> of(T one) {', 'method', 'of'],
  ['A.java', '    private static final int LIMIT = 7;', 'constant', 'LIMIT'],
  ['A.java', 'public interface Named {', 'interface', 'Named'],
  ['a.c', 'static int read_all(int fd, char *to) {', 'function', 'read_all'],
  ['a.h', '#define LIMIT 7', 'constant', 'LIMIT'],
  ['a.h', 'struct point {', 'class', 'point'],
  ['a.h', 'typedef unsigned long size;', 'type', 'size'],
  ['a.cpp', 'void Server::close() {', 'method', 'close'],
  ['a.hpp', 'namespace net {', 'module', 'net'],
  ['a.rb', '  def self.find!(id)', 'method', 'find!'],
  ['a.rb', 'class Net::Account < Base', 'class', 'Net::Account'],
  ['a.rb', 'module Net', 'module', 'Net'],
  ['a.php', 'function login($user) {', 'function', 'login'],
  ['a.php', '    public static function of(): self', 'method', 'of'],
  ['a.php', 'final class Account', 'class', 'Account'],
  ['a.php', '    const LIMIT = 7;', 'constant', 'LIMIT'],
  ['a.sh', 'clean_up() {', 'function', 'clean_up'],
  ['a.bash', 'function clean-up {', 'function', 'clean-up'],
  ['a.sh', 'readonly LIMIT=7', 'constant', 'LIMIT'],
];

test.each(DEFINING)('%s: %s defines the %s %s', (file, line, kind, name) => {
  expect(definedIn(line, symbolPatterns(file) ?? [])).toEqual({ kind, name });
});

test.each([
  ['a.ts', '    if (ready) {'],
  ['a.ts', '  return login(user);'],
  ['a.ts', '// function login()'],
  ['a.ts', 'import { login } from "./login.js";'],
  ['a.py', 'login(user)'],
  ['a.go', '\tif ok {'],
  ['a.rs', '    let x = 1;'],
  ['A.java', '        return new Account(1) {'],
  ['a.c', 'return read_all(fd, to)'],
  ['a.c', 'int read_all(int fd);'],
  ['a.rb', 'login user'],
  ['a.sh', 'clean_up'],
])('%s: %s defines nothing', (file, line) => {
  expect(definedIn(line, symbolPatterns(file) ?? [])).toBeUndefined();
});

test('other languages are not looked at', () => {
  expect(symbolPatterns('README.md')).toBeUndefined();
  expect(symbolPatterns('a.constructor')).toBeUndefined();
});

test('no line takes long', () => {
  const hostile = [
    'a'.repeat(490),
    ' '.repeat(490),
    `const a: ${'('.repeat(480)}`,
    `func (${'x '.repeat(240)}`,
    `${'public '.repeat(70)}x`,
  ];
  for (const [file] of DEFINING) for (const line of hostile) definedIn(line, symbolPatterns(file) ?? []);
});
