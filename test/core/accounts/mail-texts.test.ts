import { expect, test } from 'vitest';
import { parseMailAddress } from '../../../shared/core/accounts/mail-address.ts';
import {
  brokenMail,
  confirmationMail,
  liveMail,
  type MailFacts,
  signInMail,
} from '../../../shared/core/accounts/mail-texts.ts';
import { type Language, languageOf } from '../../../shared/core/connect-texts/catalog.ts';
import { LANGUAGE_TAGS } from '../../../shared/core/connect-texts/language.ts';
import { makeFinding } from '../../../shared/core/dns/dns-finding.ts';

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['  Ada.Lovelace+dns@Example.COM ', 'Ada.Lovelace+dns@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
])('the parser of mail addresses accepts %s', (typed, address) => {
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
])('the parser of mail addresses rejects %j', (typed) => {
  expect(parseMailAddress(typed)).toBeNull();
});

const FACTS: MailFacts = {
  app_name: 'Acme',
  hostname: 'careers.acme.com',
  subscriptionUrl: 'https://api.example/connect/mail/abc',
  unsubscribeUrl: 'https://api.example/connect/mail/abc/unsubscribe',
};
const CAUSE = {
  finding: {
    ...makeFinding('dns_record_mismatch', { type: 'CNAME', name: 'careers' }, { found: 'old.example' }),
    changes: [
      {
        action: 'replace',
        type: 'CNAME',
        zone: 'acme.com',
        name: 'careers',
        value: 'k3v9.edge.example.net',
        ttl: 300,
        of: { type: 'CNAME', value: 'old.example' },
      } as const,
    ],
  },
  connectUrl: 'https://api.example/connect/token',
};
const MAILS = [
  ['confirmation', confirmationMail],
  ['live', liveMail],
  ['broken', (language: Language, facts: MailFacts) => brokenMail(language, facts, CAUSE)],
] as const;

test.each(MAILS)(
  "the %s mail to a customer accepts no line break, link or long text from the app's name",
  (_, write) => {
    const mail = write(languageOf('en'), {
      ...FACTS,
      app_name: `Acme\r\nBcc: eve@example.com\r\n\r\nClick https://evil.example/ ${'x'.repeat(500)}`,
    });
    expect(mail.subject).toMatch(/^[\x20-\x7e]{1,120}$/);
    expect(mail.text).not.toContain('\r');
    expect(mail.text).not.toMatch(/evil\.example|eve@/);
    expect(mail.text.length).toBeLessThan(900);
    expect(mail.text).toContain('careers.acme.com');
  },
);

test.each(LANGUAGE_TAGS)(
  'the mails to customers in %s have all their facts, and links on lines of their own',
  (tag) => {
    const language = languageOf(tag);
    for (const [, write] of MAILS) {
      const { subject, text, html } = write(language, FACTS);
      expect(`${subject}${text}${html.replace(/<style>.*<\/style>/s, '')}`).not.toMatch(/[{}]|undefined/);
      expect(html).toContain(`<html lang="${tag}">`);
      expect(subject).toContain('careers.acme.com');
      for (const line of text.split('\n').filter((each) => each.includes('://'))) {
        expect(line).toMatch(/^https:\/\/\S+$/);
      }
    }
  },
);

test('the confirmation mail to a customer has the URL of the page with the confirmation button', () => {
  const { text } = confirmationMail(languageOf('en'), FACTS);
  expect(text).toContain(`\n${FACTS.subscriptionUrl}\n`);
});

test('the mail about a broken domain has the change that fixes it', () => {
  const { text } = brokenMail(languageOf('en'), FACTS, CAUSE);
  for (const line of [
    'Change this record:',
    'Type: CNAME',
    'Name: careers',
    'Replace: old.example',
    'with: k3v9.edge.example.net',
    CAUSE.connectUrl,
    FACTS.unsubscribeUrl,
  ]) {
    expect(text).toContain(`\n${line}\n`);
  }
});

test('the mail about a broken domain has buttons that say what they open, in its HTML', () => {
  const { html } = brokenMail(languageOf('en'), FACTS, CAUSE);
  expect(html).toMatch(new RegExp(`<a href="${CAUSE.connectUrl}"[^>]*>Show me how, step by step</a>`));
  expect(html).toMatch(new RegExp(`<a class="l" href="${FACTS.unsubscribeUrl}"[^>]*>Stop emails</a>`));
});

test('a mail of the service shows its name on the plate, and its link as a button', () => {
  const { html, text } = signInMail({ service: 'Acme', url: 'https://api.example/dashboard/sign-in#token' });
  expect(text).toContain('\nhttps://api.example/dashboard/sign-in#token\n');
  expect(html).toMatch(/word-break:break-word">Acme<\/td>/);
  expect(html).toMatch(/<a href="https:\/\/api\.example\/dashboard\/sign-in#token"[^>]*>Sign in<\/a>/);
});

test('the mail about a live domain asks the customer to leave the DNS record in place', () => {
  expect(liveMail(languageOf('en'), FACTS).text).toContain(
    'careers.acme.com is connected to Acme and works over HTTPS. Leave its DNS record in place.\nhttps://careers.acme.com/\n',
  );
});
