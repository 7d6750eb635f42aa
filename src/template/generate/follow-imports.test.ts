import { describe, expect, test } from 'vitest';
import { followImports, indexFiles } from './follow-imports.js';

const index = indexFiles(
  [
    ...['src/a.ts', 'src/b.ts', 'src/deep/index.ts', 'src/data.json', 'src/style.css', 'lib/old.js'],
    ...['shop/__init__.py', 'shop/models.py', 'shop/db/__init__.py', 'shop/db/rows.py', 'tests/test_models.py'],
    ...['cmd/main.go', 'internal/store/store.go', 'internal/store/rows.go', 'internal/other/o.go'],
    ...['Shop/Domain/Order.cs', 'Shop/Domain/Line.cs', 'Shop/Api/OrderApi.cs'],
    ...['src/lib.rs', 'src/rows.rs', 'src/net/mod.rs'],
    ...['src/main/java/com/acme/Order.java', 'src/test/java/com/acme/OrderTest.java'],
  ],
  'example.com/acme/shop',
);

describe('what a file needs', () => {
  test.each<[language: string, file: string, text: string, needs: string[]]>([
    [
      'TypeScript',
      'src/a.ts',
      `import { b } from './b.js';\nexport * from "./deep";\nimport './style.css';\nconst d = await import('./data.json');
       require('../lib/old'); import 'node:fs'; import x from 'pkg'; from './nowhere.js'`,
      ['src/b.ts', 'src/deep/index.ts', 'src/style.css', 'src/data.json', 'lib/old.js'],
    ],
    [
      'Python',
      'tests/test_models.py',
      'import os, shop.db.rows as rows\nfrom shop.models import Order\n',
      ['shop/__init__.py', 'shop/db/__init__.py', 'shop/db/rows.py', 'shop/models.py'],
    ],
    [
      'Python, relative',
      'shop/db/rows.py',
      'from . import rows\nfrom ..models import (\n  Order,\n)',
      ['shop/__init__.py', 'shop/db/__init__.py', 'shop/models.py'],
    ],
    [
      'Go',
      'cmd/main.go',
      'import (\n\t"fmt"\n\t"example.com/acme/shop/internal/store"\n)',
      ['internal/store/rows.go', 'internal/store/store.go'],
    ],
    [
      'C#',
      'Shop/Api/OrderApi.cs',
      'using System;\nusing Acme.Shop.Domain;',
      ['Shop/Domain/Line.cs', 'Shop/Domain/Order.cs'],
    ],
    ['Rust', 'src/lib.rs', 'pub mod rows;\nmod net;', ['src/net/mod.rs', 'src/rows.rs']],
    ['Java', 'src/test/java/com/acme/OrderTest.java', 'import com.acme.Order;', ['src/main/java/com/acme/Order.java']],
  ])('in %s', (_, file, text, needs) => {
    expect([...followImports(file, text, index)].sort()).toEqual([...needs].sort());
  });

  test('is nothing that lies outside of the project', () => {
    expect(followImports('src/a.ts', "import '../../../etc/passwd'", index)).toEqual([]);
  });
});

test.each(['a.ts', 'a.py', 'a.go', 'a.cs', 'a.java', 'a.rs'])(
  'a hostile %s is read in no more than a moment',
  (file) => {
    const spaces = ' '.repeat(100_000);
    const lines = '\n'.repeat(100_000);
    const text = `import${spaces}x${lines}using${spaces}y${'\nfrom x import ('.repeat(20_000)}${lines}mod${spaces}pub(${spaces}`;
    expect(followImports(file, text, index)).toEqual([]);
  },
);
