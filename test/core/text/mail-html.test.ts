import { expect, test } from 'vitest';
import { mailHtml } from '../../../service/smtp-mailer.ts';

test('a mail in HTML renders paragraphs, and links a URL that has a line of its own', () => {
  const html = mailHtml('Open this page:\nhttps://example.com/a?b=1&c=2\n\nSecond paragraph.\n');
  expect(html).toContain(
    '<p>Open this page:<br><a href="https://example.com/a?b=1&#38;c=2">https://example.com/a?b=1&#38;c=2</a></p>',
  );
  expect(html).toContain('<p>Second paragraph.</p>');
});

test.each([
  ['<img src=x onerror=alert(1)>', '&#60;img src=x onerror=alert(1)&#62;'],
  ['connected to https://evil.example/ now', 'connected to https://evil.example/ now'],
  ['https://example.com/"onclick="x', 'https://example.com/&#34;onclick=&#34;x'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
])('a mail in HTML does not link %j', (line, shown) => {
  const html = mailHtml(line);
  expect(html).toContain(`<p>${shown}</p>`);
  expect(html).not.toContain('<a ');
});

test('a mail in HTML loads nothing', () => {
  expect(mailHtml('https://example.com/')).not.toMatch(/<(img|link|script|iframe|style)|url\(/);
});
