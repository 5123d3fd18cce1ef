import { expect, test } from 'vitest';
import { isValid, renewsAt, testCertificate } from '../../../shared/core/certificates/certificate.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { T0 } from '../domains/sample-domain.ts';

test('a test certificate lasts 90 days and is renewed from day 60', () => {
  expect(testCertificate('Service Test CA', T0)).toEqual({
    issuer: 'Service Test CA',
    not_before: T0,
    not_after: T0 + 90 * DAY_MS,
    renews_at: T0 + 60 * DAY_MS,
  });
});

test.each([
  [90, 60 * DAY_MS],
  [45, 30 * DAY_MS],
  [64, 61_440 * MINUTE_MS],
  [10, 9600 * MINUTE_MS],
  [160 / 24, 80 * 60 * MINUTE_MS],
  [6, 3 * DAY_MS],
  [1, 12 * 60 * MINUTE_MS],
])(
  'a certificate of %f days is renewed after two thirds of its lifetime, or after half if it is short',
  (lives, after) => {
    expect(renewsAt(T0, T0 + lives * DAY_MS)).toBe(T0 + after);
    expect(renewsAt(T0 + 1, T0 + 1 + lives * DAY_MS)).toBe(T0 + 1 + after);
  },
);

test('a certificate is valid from not_before, and no longer valid at not_after', () => {
  const certificate = testCertificate('Service Test CA', T0);
  expect(isValid(certificate, T0 - 1)).toBe(false);
  expect(isValid(certificate, T0)).toBe(true);
  expect(isValid(certificate, T0 + 90 * DAY_MS - 1)).toBe(true);
  expect(isValid(certificate, T0 + 90 * DAY_MS)).toBe(false);
  expect(isValid(null, T0)).toBe(false);
});
