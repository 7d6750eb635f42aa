import { codeLines } from './made-project.js';

export type Files = Readonly<Record<string, string>>;

export const TYPESCRIPT: Files = {
  'package.json': JSON.stringify({
    dependencies: { fastify: '5', '@types/react': '19' },
    devDependencies: { vitest: '4', typescript: '5' },
    scripts: { test: 'vitest run', build: 'tsc', lint: 'biome check' },
  }),
  'package-lock.json': '{}',
  'src/domain/order-line.ts': codeLines(
    12,
    (n) => `export function priceOf${n}(line: OrderLine): number { return ${n}; }`,
  ),
  'src/application/place-order.ts': codeLines(12, (n) => `export class PlaceOrder${n} { runOrder(): void {} }`),
  'src/infrastructure/order-repository.ts': codeLines(12, (n) => `export class OrderRepository${n} { findOrder() {} }`),
  'src/api/order-controller.ts': codeLines(12, (n) => `export function handleOrder${n}(request: Request): void {}`),
  'test/place-order.test.ts': codeLines(12, (n) => `test('places order ${n}', () => {});`),
  'README.md': '# Orders\n',
};

export const PYTHON: Files = {
  'pyproject.toml':
    '[project]\nname = "orders"\ndependencies = ["Django>=5", "ruff"]\n[dependency-groups]\ndev = ["pytest"]\n',
  'manage.py': 'print("manage")\n',
  'orders/models.py': codeLines(12, (n) => `class OrderLine${n}:\n    def total_price(self):\n        return ${n}`),
  'orders/views.py': codeLines(12, (n) => `def show_order_${n}(request):\n    return render(request)`),
  'orders/urls.py': 'urlpatterns = []\n',
  'orders/services/order_service.py': codeLines(12, (n) => `def place_order_${n}():\n    pass`),
  'tests/test_orders.py': codeLines(12, (n) => `def test_order_${n}():\n    assert True`),
};

export const GO: Files = {
  'go.mod': 'module example.com/orders\n\nrequire github.com/gin-gonic/gin v1.9.1\n',
  'cmd/orders/main.go': 'package main\n\nfunc main() {}\n',
  'internal/domain/order.go': codeLines(12, (n) => `func TotalPrice${n}() int { return ${n} }`),
  'internal/domain/order_test.go': codeLines(12, (n) => `func TestTotal${n}(t *testing.T) {}`),
  'internal/adapters/http_adapter.go': codeLines(12, (n) => `func ServeOrder${n}() {}`),
  Makefile: 'lint:\n\tgolangci-lint run\n',
};

export const CSHARP: Files = {
  'Shop.sln': 'Microsoft Visual Studio Solution File\n',
  'src/Shop.App/Shop.App.csproj':
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><UseMaui>true</UseMaui></PropertyGroup></Project>\n',
  'src/Shop.App/ViewModels/CartViewModel.cs': codeLines(
    12,
    (n) => `public class CartViewModel${n} { public void AddLine() {} }`,
  ),
  'src/Shop.Domain/Orders/OrderLine.cs': codeLines(12, (n) => `public record OrderLine${n}(int Count);`),
  'src/Shop.Infrastructure/OrderRepository.cs': codeLines(
    12,
    (n) => `public class OrderRepository${n} { public void FindOrder() {} }`,
  ),
  'tests/Shop.Tests/Shop.Tests.csproj':
    '<Project><ItemGroup><PackageReference Include="xunit" /></ItemGroup></Project>\n',
  'tests/Shop.Tests/CartTests.cs': codeLines(12, (n) => `public class CartTests${n} { [Fact] public void Adds() {} }`),
  'src/Shop.App/bin/Debug/net9.0/Shop.deps.json': '{}',
  'src/Shop.App/obj/project.assets.json': '{}',
};

export const NO_LANGUAGE: Files = {
  'notes/monday.txt': codeLines(20, (n) => `Line ${n} of what was said on Monday.`),
  'notes/tuesday.txt': codeLines(20, (n) => `Line ${n} of what was said on Tuesday.`),
  'yarn.lock': codeLines(20, (n) => `package-${n}: 1.0.${n}`),
  'README.md': '# Notes\n\nOf meetings.\n',
};
