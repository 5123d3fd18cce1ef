import { expect, test } from 'vitest';
import {
  deliveryLook,
  isCertificateValid,
  STATUS_LOOKS,
  statusLook,
} from '../../../shared/core/look/status-look.ts';
import { REASONS } from '../../../shared/core/reasons.ts';

test('every status has words and an icon of its own, apart from the two steps that Nameplate itself is taking', () => {
  const looks = Object.values(STATUS_LOOKS);
  expect(new Set(looks.map(({ words }) => words)).size).toBe(looks.length);
  expect(new Set(looks.map(({ icon }) => icon)).size).toBe(looks.length - 1);
});

test('the status cert_failed is shown as a failed renewal while the last certificate is valid', () => {
  expect(statusLook('cert_failed', true).words).toBe('Renewal failed');
  expect(statusLook('cert_failed', false).words).toBe('No certificate');
  expect(statusLook('active', true).words).toBe('Active');
  expect(STATUS_LOOKS.cert_failed.words, 'if the certificate is unknown').toBe('Certificate failed');
});

test.each([
  [null, false],
  ['2026-11-26T20:38:10.999Z', false],
  ['2026-11-26T20:38:11.000Z', false],
  ['2026-11-26T20:38:11.001Z', true],
])('a certificate that ends at %s is valid at 20:38:11: %s', (notAfter, isValid) => {
  const certificate = notAfter === null ? null : { not_after: notAfter };
  expect(isCertificateValid(certificate, Date.parse('2026-11-26T20:38:11Z'))).toBe(isValid);
});

test.each([
  ['pending', 0, null, 'Queued'],
  ['pending', 2, 500, 'Retrying · 500'],
  ['failed', 8, null, 'Failed · timeout'],
  ['delivered', 1, 200, 'Delivered'],
  ['none', 0, null, 'Not sent'],
] as const)(
  'a delivery with the status %s after %i attempts and the response %s is shown as "%s"',
  (...row) => {
    const [status, attempts, code, words] = row;
    const lastError = code === null && attempts > 0 ? 'timeout' : null;
    expect(deliveryLook({ status, attempts, last_status_code: code, last_error: lastError }).words).toBe(
      words,
    );
  },
);

test.each(Object.entries(REASONS))(
  'the short text of the reason %s fits a line of a list',
  (_, { short }) => {
    expect(short.length).toBeLessThanOrEqual(30);
    expect(short).not.toMatch(/\.$/);
  },
);
