import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatonError } from '../../contracts/shared/errors.js';
import { createTemplater } from './placeholders.js';
import { renderTemplate } from './render-template.js';

const FACTS = {
  name: 'order-service',
  description: 'Takes orders and keeps them',
  author: 'Ada Lovelace',
  version: '1.4.0',
  dependencies: [],
};
const OTHER = {
  project_name: 'Billing',
  description: 'Sends bills around',
  author: 'Grace Hopper',
  version: '0.1.0',
};

const templater = createTemplater(FACTS);
const defaults = Object.fromEntries(templater.placeholders.map(({ name, default: value }) => [name, value]));

function renamed(text: string, path = 'src/a.ts'): string {
  return renderTemplate(templater.text(text, path), OTHER, path);
}

describe('a template of a text', () => {
  test('gives the text back with its defaults, whatever it is', () => {
    const piece = fc.oneof(
      fc.constantFrom('order-service', 'OrderService', 'orderService', 'ORDER_SERVICE', 'Order Service', 'order'),
      fc.constantFrom('{{baton.', '{{baton.open}}', '{{baton.project_name.snake}}', '{{', '}}', '.', '_', 's', 'S'),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('package.json', 'src/a.ts'), (pieces, path) => {
        const text = pieces.join('');
        expect(renderTemplate(templater.text(text, path), defaults, path)).toBe(text);
        expect(renderTemplate(templater.path(text), defaults, path)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('has the one name that is set in all its spellings', () => {
    expect(renamed("import { OrderServiceClient } from './order-service.js'; process.env.ORDER_SERVICE_URL;")).toBe(
      "import { BillingClient } from './billing.js'; process.env.BILLING_URL;",
    );
  });

  test('says description, author and version anew, in the files that say them', () => {
    const text = JSON.stringify({ ...FACTS, author: 'Ada Lovelace <ada@example.com>' }, null, 2);
    expect(JSON.parse(renamed(text, 'package.json'))).toMatchObject({
      name: 'billing',
      description: 'Sends bills around',
      author: 'Grace Hopper <ada@example.com>',
      version: '0.1.0',
    });
    expect(renamed('const version = "1.4.0"; // Ada Lovelace')).toBe('const version = "1.4.0"; // Ada Lovelace');
    expect(renamed('Copyright (c) 2024 Ada Lovelace', 'LICENSE')).toBe('Copyright (c) 2024 Grace Hopper');
  });

  test('keeps what looks like one of its own placeholders', () => {
    const text = 'Write {{baton.project_name.snake}} and {{baton.open}} and {{name}} and {% raw %}.';
    expect(renamed(text)).toBe(text);
  });

  test('puts no value in that could end a string or a line', () => {
    const strange = createTemplater({ ...FACTS, description: 'Says "hello"', version: 'newest' });
    expect(strange.placeholders.map(({ name }) => name)).toEqual(['project_name', 'author']);
  });

  test('of a project without a usable name still has one to set', () => {
    const strange = createTemplater({ name: '../etc', dependencies: [] });
    expect(strange.placeholders).toMatchObject([{ name: 'project_name', default: 'project' }]);
    expect(strange.text('a project', 'README.md')).toBe('a project');
  });
});

describe('filling a template', () => {
  test.each([
    ['an unknown placeholder', 'a\n{{baton.colour}}', 'colour'],
    ['one of the prototype', 'a\n{{baton.constructor}}', 'constructor'],
    ['an unknown spelling', 'a\n{{baton.project_name.loud}}', 'project_name.loud'],
  ])('refuses %s and says where', (_, text, placeholder) => {
    const failure = catchError(() => renderTemplate(text, OTHER, 'x.ts'));
    expect(failure).toMatchObject({ code: 'TEMPLATE_INVALID', details: { placeholder, file: 'x.ts', line: 2 } });
  });

  test.each(['{{baton.', '{{baton.}}', '{{baton.a b}}', '{{baton.project_name'])('refuses %s', (text) => {
    expect(catchError(() => renderTemplate(text, OTHER, 'x.ts')).message).toContain('not closed, or has no name');
  });

  test('reads no value again', () => {
    expect(renderTemplate('{{baton.author}}', { author: '{{baton.author}}' }, 'x')).toBe('{{baton.author}}');
  });
});

function catchError(act: () => unknown): BatonError {
  try {
    act();
  } catch (failure) {
    if (failure instanceof BatonError) return failure;
  }
  throw new Error('nothing was refused');
}
