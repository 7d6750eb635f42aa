/** Two small projects with layers, in two languages, whose tests run without anything being installed. */

export const ORDER_SERVICE: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "@acme/order-service",
  "version": "1.4.0",
  "description": "Takes orders and keeps them",
  "author": "Ada Lovelace <ada@example.com>",
  "type": "module",
  "bin": { "order-service": "dist/src/main.js" },
  "scripts": { "build": "tsc -p .", "test": "node --test dist" }
}
`,
  'tsconfig.json': `{
  "compilerOptions": {
    "module": "nodenext", "target": "es2022", "strict": true, "outDir": "dist", "rootDir": ".", "skipLibCheck": true
  },
  "include": ["src", "test"]
}
`,
  'README.md': `# Order Service

Takes orders and keeps them. Set ORDER_SERVICE_CURRENCY, then run \`order-service\`.
Placeholders such as {{baton.project_name.snake}} or {{ other }} stay as they are.
`,
  LICENSE: 'Copyright (c) 2024 Ada Lovelace\n',
  '.env': 'ORDER_SERVICE_KEY=0f9e8d7c6b5a4f3e2d1c\n',
  'src/domain/order.ts': `export type Order = { id: number; total: number };

export class OrderServiceError extends Error {
  override readonly name = 'OrderServiceError';
}
`,
  'src/repositories/order-repository.ts': `import { type Order, OrderServiceError } from '../domain/order.js';

export class OrderRepository {
  private readonly rows = new Map<number, Order>();

  add(order: Order): void {
    if (this.rows.has(order.id)) throw new OrderServiceError(\`order \${order.id} is there already\`);
    this.rows.set(order.id, order);
  }

  all(): readonly Order[] {
    return [...this.rows.values()];
  }
}
`,
  'src/services/order-service.ts': `import type { OrderRepository } from '../repositories/order-repository.js';

export const ORDER_SERVICE_NAME = 'order-service';
export const currency = (env: Record<string, string | undefined>) => env['ORDER_SERVICE_CURRENCY'] ?? 'EUR';

export class OrderService {
  constructor(private readonly repository: OrderRepository) {}

  take(id: number, total: number): number {
    this.repository.add({ id, total });
    return this.repository.all().reduce((sum, order) => sum + order.total, 0);
  }
}

export const createOrderService = (repository: OrderRepository): OrderService => new OrderService(repository);
`,
  'src/main.ts': `import { OrderRepository } from './repositories/order-repository.js';
import { createOrderService, ORDER_SERVICE_NAME } from './services/order-service.js';

const orderService = createOrderService(new OrderRepository());
console.log(ORDER_SERVICE_NAME, orderService.take(1, 12));
`,
  'test/order-service.test.ts': `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { OrderServiceError } from '../src/domain/order.js';
import { OrderRepository } from '../src/repositories/order-repository.js';
import { createOrderService, currency, ORDER_SERVICE_NAME } from '../src/services/order-service.js';

test('takes orders and applies no order twice', () => {
  const orderService = createOrderService(new OrderRepository());
  assert.equal(orderService.take(1, 10), 10);
  assert.equal(orderService.take(2, 5), 15);
  assert.throws(() => orderService.take(1, 1), OrderServiceError);
});

test('is called what its package is called', () => {
  const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
  assert.equal(name, \`@acme/\${ORDER_SERVICE_NAME}\`);
  assert.equal(currency({ ORDER_SERVICE_CURRENCY: 'CHF' }), 'CHF');
});
`,
};

export const LEDGER_BOOK: Readonly<Record<string, string>> = {
  'pyproject.toml': `[project]
name = "ledger-book"
version = "0.3.1"
description = "Books that balance"
authors = [{ name = "Ada Lovelace" }]

[project.scripts]
ledger-book = "ledger_book.cli:main"
`,
  'README.md': '# Ledger Book\n\nBooks that balance: `python -m ledger_book 3 -3`\n',
  'ledger_book/__init__.py': '"""Ledger Book."""\n\nNAME = "ledger-book"\n',
  'ledger_book/__main__.py': 'from .cli import main\n\nmain()\n',
  'ledger_book/cli.py': `import sys

from ledger_book.services.balance import balance_of


def main() -> None:
    print(balance_of([int(word) for word in sys.argv[1:]]))
`,
  'ledger_book/models/__init__.py': '',
  'ledger_book/models/entry.py': `from dataclasses import dataclass


class LedgerBookError(Exception):
    pass


@dataclass(frozen=True)
class Entry:
    amount: int

    def __post_init__(self) -> None:
        if self.amount == 0:
            raise LedgerBookError("an entry of nothing")
`,
  'ledger_book/services/__init__.py': '',
  'ledger_book/services/balance.py': `from ..models.entry import Entry


def balance_of(amounts: list[int]) -> int:
    return sum(Entry(amount).amount for amount in amounts)
`,
  'tests/__init__.py': '',
  'tests/test_ledger_book.py': `import unittest

import ledger_book
from ledger_book.models.entry import LedgerBookError
from ledger_book.services.balance import balance_of


class LedgerBookTest(unittest.TestCase):
    def test_balances(self) -> None:
        self.assertEqual(balance_of([3, -1]), 2)

    def test_refuses_nothing(self) -> None:
        with self.assertRaises(LedgerBookError):
            balance_of([0])

    def test_name(self) -> None:
        self.assertEqual(ledger_book.NAME.replace("-", "_"), ledger_book.__name__)
`,
};
