import { describe, expect, test } from 'vitest';
import { createNameFinder } from './name-finder.js';
import { spell } from './spellings.js';

function found(name: string, text: string, path = 'src/a.ts', dependencies: string[] = []): string[] {
  return createNameFinder(name, dependencies)(text, path).map(
    ({ from, to, spelling }) => `${text.slice(from, to)}:${spelling}`,
  );
}

describe('a name', () => {
  test('is written in every spelling', () => {
    expect(
      (['kebab', 'snake', 'flat', 'camel', 'pascal', 'upper', 'title'] as const).map((how) =>
        spell('order-service', how),
      ),
    ).toEqual([
      ...['order-service', 'order_service', 'orderservice', 'orderService', 'OrderService'],
      ...['ORDER_SERVICE', 'Order Service'],
    ]);
  });

  test('keeps capitals of its own, but does not shout', () => {
    expect(spell('MyAPI2', 'pascal')).toBe('MyAPI2');
    expect(spell('MyAPI2', 'snake')).toBe('my_api2');
    expect(spell('ORDER_SERVICE', 'pascal')).toBe('OrderService');
  });
});

describe('the name of a project is found', () => {
  test('in every spelling', () => {
    const text = 'order-service order_service OrderService orderService ORDER_SERVICE Order Service orderservice';
    expect(found('order-service', text)).toEqual([
      ...['order-service:kebab', 'order_service:snake', 'OrderService:pascal', 'orderService:camel'],
      ...['ORDER_SERVICE:upper', 'Order Service:title', 'orderservice:flat'],
    ]);
  });

  test('inside longer names, at their own borders', () => {
    expect(found('relaybox', 'createRelaybox relayboxClient relaybox_db RELAYBOX_URL @acme/relaybox/x')).toEqual([
      ...['Relaybox:pascal', 'relaybox:camel', 'relaybox:snake', 'RELAYBOX:upper', 'relaybox:snake'],
    ]);
  });

  test('but not as a part of another word', () => {
    expect(found('tally', 'totally tallying stallys Tallying TALLYHO xTALLY tally2 retally')).toEqual([]);
  });

  test('for a name that is an ordinary word, only where the project is named', () => {
    const code = "import { test } from 'node:test'; const app = apply(app); class App {}";
    expect(found('app', code)).toEqual([]);
    expect(found('app', '{\n  "name": "app",\n  "main": "app.js"\n}', 'package.json')).toEqual(['app:snake']);
    expect(found('app', '# App\n\nThe app.', 'README.md')).toEqual(['App:pascal']);
  });

  test('for the name of a library that is used, likewise', () => {
    expect(found('relay', "import { RelayProvider } from 'react-relay';", 'src/a.ts', ['react-relay'])).toEqual([]);
  });

  test('with a dot only where it is written with one', () => {
    expect(found('Acme.Shop', 'namespace Acme.Shop.Domain;')).toEqual(['Acme.Shop:dotted']);
    expect(found('AcmeShop', 'Acme.Shop()')).toEqual([]);
  });
});
