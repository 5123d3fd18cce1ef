import { expect, test } from 'vitest';
import { parseMailAddress } from '../../../shared/core/accounts/mail-address.ts';
import { confirmationMail, liveMail } from '../../../shared/core/accounts/mail-texts.ts';

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['  Ada.Lovelace+dns@Example.COM ', 'Ada.Lovelace+dns@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
])('parses %s', (typed, address) => {
  expect(parseMailAddress(typed)).toBe(address);
});

test.each([
  [''],
  ['ada'],
  ['@example.com'],
  ['ada@'],
  ['ada@localhost'],
  ['ada@127.0.0.1'],
  ['ada@[127.0.0.1]'],
  ['a@b.example, c@d.example'],
  ['Ada <ada@example.com>'],
  ['"ada b"@example.com'],
  ['ada..b@example.com'],
  ['.ada@example.com'],
  ['ada@example.com\r\nBcc: eve@example.com'],
  ['ada\r\n@example.com'],
  ['ada\u0000@example.com'],
  ['аda@example.com'],
  [`${'a'.repeat(65)}@example.com`],
  [`a@${`${'b'.repeat(60)}.`.repeat(5)}com`],
])('rejects %j as an address', (typed) => {
  expect(parseMailAddress(typed)).toBeNull();
});

test.each([
  ['confirmation', confirmationMail],
  ['live', liveMail],
])("an app's name puts no line break, link or long text into the %s mail", (_, write) => {
  const mail = write({
    app_name: `Acme\r\nBcc: eve@example.com\r\n\r\nClick https://evil.example/ ${'x'.repeat(500)}`,
    hostname: 'careers.acme.com',
    subscriptionUrl: 'https://api.example/connect/mail/abc',
  });
  expect(mail.subject).toMatch(/^[\x20-\x7e]{1,120}$/);
  expect(mail.text).not.toContain('\r');
  expect(mail.text).not.toMatch(/evil\.example|eve@/);
  expect(mail.text.length).toBeLessThan(700);
  expect(mail.text).toContain('careers.acme.com');
});

test('the confirmation mail has the URL of the page with the button', () => {
  const url = 'https://api.example/connect/mail/abc';
  expect(
    confirmationMail({ app_name: 'Acme', hostname: 'careers.acme.com', subscriptionUrl: url }).text,
  ).toContain(`\n${url}\n`);
});
