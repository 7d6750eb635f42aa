import { describe, expect, test } from 'vitest';
import { isDateTime, isUuid } from './formats.js';

describe('a date-time', () => {
  test.each(['2025-11-18T10:30:00Z', '2025-11-18t10:30:00z'])('may be UTC with a Z: %s [R340]', (text) => {
    expect(isDateTime(text)).toBe(true);
  });

  test.each(['2025-11-18T10:30:00+00:00', '2025-11-18T10:30:00-00:00', '2025-11-18T23:59:00+05:45'])(
    'may have an offset: %s [R341]',
    (text) => {
      expect(isDateTime(text)).toBe(true);
    },
  );

  test.each(['2025-11-18T10:30:00.1Z', '2025-11-18T10:30:00.123456Z', '2025-11-18T10:30:00.123456789+00:00'])(
    'may have fractions of a second: %s [R342]',
    (text) => {
      expect(isDateTime(text)).toBe(true);
    },
  );

  test.each([
    ['without a zone', '2025-11-18T10:30:00'],
    ['with a space instead of T', '2025-11-18 10:30:00Z'],
    ['in the basic form', '20251118T103000Z'],
    ['without seconds', '2025-11-18T10:30Z'],
    ['of a date alone', '2025-11-18'],
    ['with a zone without colon', '2025-11-18T10:30:00+0000'],
    ['with a zone of 24 hours', '2025-11-18T10:30:00+24:00'],
    ['with an empty fraction', '2025-11-18T10:30:00.Z'],
    ['with a comma', '2025-11-18T10:30:00,5Z'],
    ['with a fifth digit in the year', '12025-11-18T10:30:00Z'],
    ['with a line break at its end', '2025-11-18T10:30:00Z\n'],
    ['with Arabic digits', '٢٠٢٥-11-18T10:30:00Z'],
    ['on 30 February', '2025-02-30T10:30:00Z'],
    ['on 29 February of a common year', '2025-02-29T10:30:00Z'],
    ['on 29 February 1900', '1900-02-29T10:30:00Z'],
    ['on 31 April', '2025-04-31T10:30:00Z'],
    ['in month 0', '2025-00-10T10:30:00Z'],
    ['in month 13', '2025-13-10T10:30:00Z'],
    ['on day 0', '2025-11-00T10:30:00Z'],
    ['at hour 24', '2025-11-18T24:00:00Z'],
    ['at minute 60', '2025-11-18T10:60:00Z'],
    ['at second 61', '2016-12-31T23:59:61Z'],
    ['at second 60 of any minute', '2016-12-31T10:59:60Z'],
  ])('is not RFC 3339 %s: %j [R343]', (_, text) => {
    expect(isDateTime(text)).toBe(false);
  });

  test.each(['2024-02-29T00:00:00Z', '2000-02-29T00:00:00Z', '2016-12-31T23:59:60Z', '2017-01-01T00:59:60+01:00'])(
    'may be a leap day or a leap second: %s [R343]',
    (text) => {
      expect(isDateTime(text)).toBe(true);
    },
  );
});

describe('a uuid', () => {
  test.each([
    ['550e8400-e29b-41d4-a716-446655440000', true],
    ['550E8400-E29B-41D4-A716-446655440000', true],
    ['00000000-0000-0000-0000-000000000000', true],
    ['550e8400e29b41d4a716446655440000', false],
    ['{550e8400-e29b-41d4-a716-446655440000}', false],
    ['550e8400-e29b-41d4-a716-44665544000g', false],
    ['550e8400-e29b-41d4-a716-446655440000\n', false],
    ['------------------------------------', false],
  ])('%j: %s', (text, valid) => {
    expect(isUuid(text)).toBe(valid);
  });
});
