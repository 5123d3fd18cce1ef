import { expect, test } from 'vitest';
import {
  type MailContent,
  type MailParagraph,
  mailHtml,
  mailParagraphs,
  mailText,
} from '../../../shared/core/accounts/mail-html.ts';
import { COLOURS } from '../../../shared/core/look/tokens.ts';

const CONTENT: Omit<MailContent, 'paragraphs'> = {
  language: 'en',
  subject: 'careers.acme.com is live',
  plate: 'careers.acme.com',
  sender: 'Acme',
};

function htmlOf(...paragraphs: MailParagraph[]): string {
  return mailHtml({ ...CONTENT, paragraphs });
}

test('a mail in HTML makes a button of a URL that has a line of its own, and keeps the other lines', () => {
  const html = mailHtml({
    ...CONTENT,
    paragraphs: mailParagraphs(
      'Open this page:\nhttps://example.com/a?b=1&c=2\n\nSecond\nparagraph.\n',
      'Open',
    ),
  });
  expect(html).toMatch(/<p [^>]*>Open this page:<\/p>/);
  expect(html).toMatch(/<a href="https:\/\/example\.com\/a\?b=1&#38;c=2" [^>]*>Open<\/a>/);
  expect(html).toMatch(/<p [^>]*><b>Second<\/b><br>paragraph\.<\/p>/);
});

test('a mail in HTML shows the URL of a button as linked text, so that a reader can check or type it', () => {
  const html = htmlOf({ lines: ['https://example.com/a?b=1&c=2'], button: 'Open' });
  const url = 'https://example.com/a?b=1&#38;c=2';
  const [, box, link] =
    /<p ([^>]*)><a ([^>]*)>https:\/\/example\.com\/a\?b=1&#38;c=2<\/a><\/p>/.exec(html) ?? [];
  expect(box).toContain('word-break:break-all');
  expect(link).toContain(`class="m" href="${url}"`);
  expect(html.indexOf('>Open</a>')).toBeLessThan(html.indexOf(`>${url}</a>`));
});

test('a mail has the same words in its text and in its HTML', () => {
  const paragraphs = mailParagraphs('One\ntwo.\n\nThree.\n', 'Open');
  expect(mailText({ paragraphs })).toBe('One\ntwo.\n\nThree.\n');
});

test.each([
  ['<img src=x onerror=alert(1)>', '&#60;img src=x onerror=alert(1)&#62;'],
  ['connected to https://evil.example/ now', 'connected to https://evil.example/ now'],
  ['https://example.com/"onclick="x', 'https://example.com/&#34;onclick=&#34;x'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
])('a mail in HTML does not link %j', (line, shown) => {
  const html = htmlOf({ lines: [line], button: 'Open' });
  expect(html).toContain(`>${shown}</p>`);
  expect(html).not.toContain('<a ');
});

test('a mail in HTML escapes every value', () => {
  const evil = '<b>"\'&';
  const html = mailHtml({
    language: evil,
    subject: evil,
    plate: evil,
    sender: evil,
    paragraphs: [
      { lines: [evil], fields: [{ label: evil, value: evil, effect: 'set' }] },
      { lines: ['https://example.com/'], button: evil },
      { lines: ['https://example.com/'], button: evil, isNote: true },
    ],
  });
  expect(html).not.toContain(evil);
  expect(html.split('&#60;b&#62;&#34;&#39;&#38;').length - 1).toBe(11);
});

test('a mail in HTML loads nothing', () => {
  const html = htmlOf({ lines: ['https://example.com/'], button: 'Open' });
  expect(html).not.toMatch(/<(?:img|link|script|iframe)|url\(|@import|\bsrc=/);
});

test('a mail in HTML shows what a change removes and what it sets, in words and in colours', () => {
  const html = htmlOf({
    lines: ['Change this record:', 'Value now: old.example', 'New value: k3v9.edge.example.net'],
    fields: [
      { label: 'Value now', value: 'old.example', effect: 'removed' },
      { label: 'New value', value: 'k3v9.edge.example.net', effect: 'set' },
    ],
  });
  expect(html).toMatch(
    /<th scope="row" class="cell old"[^>]*>Value now<\/th>\n<td [^>]*line-through[^>]*>old\.example</,
  );
  expect(html).toMatch(
    /<th scope="row" class="cell new"[^>]*>New value<\/th>\n<td [^>]*>k3v9\.edge\.example\.net</,
  );
});

test('a mail in HTML has the colours of both themes, and takes each from the tokens', () => {
  const html = htmlOf({ lines: ['Hello.'] });
  const known = new Set(Object.values(COLOURS).flat().map(String));
  const colours = html.match(/(?<!&)#[0-9a-f]{6}\b/g) ?? [];
  expect(colours.length).toBeGreaterThan(10);
  expect(colours.filter((colour) => !known.has(colour))).toEqual([]);
  expect(html).toContain('@media (prefers-color-scheme: dark)');
});
