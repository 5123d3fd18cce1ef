import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../shared/http/pages/markdown.ts';

const render = (text: string) => renderMarkdown(text, (file) => `/docs/${file.replace('.md', '')}`).text;

test('shows raw HTML as text', () => {
  expect(render('a <b onclick="x">b</b>\n\n<script>alert(1)</script>')).not.toMatch(/<(b|script)\b/);
});

test('escapes code', () => {
  expect(render('`<a & "b">`\n\n```js\n<i>\n```')).toBe(
    '<p><code>&lt;a &amp; &quot;b&quot;&gt;</code></p>\n<pre tabindex="0"><code>&#60;i&#62;\n</code></pre>\n',
  );
});

test('turns a link to another guide into a link to its page', () => {
  expect(render('[a](webhooks.md#retries) [b](domains.md)')).toBe(
    '<p><a href="/docs/webhooks#retries">a</a> <a href="/docs/domains">b</a></p>\n',
  );
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', '../secret.txt', 'JAVASCRIPT:x'])(
  'leaves out a link to %s',
  (href) => {
    expect(render(`[label](${href})`)).toBe('<p>label</p>\n');
  },
);

test('shows the words of an image', () => {
  expect(render('![a "picture"](https://example.net/a.png)')).toBe('<p>a &#34;picture&#34;</p>\n');
});

test('gives headings an id and tables their header cells', () => {
  expect(render('## Rotate the `secret`, now')).toBe(
    '<h2 id="rotate-the-secret-now">Rotate the <code>secret</code>, now</h2>\n',
  );
  expect(render('| A |\n| --- |\n| b |')).toContain('<th scope="col">A</th>');
});
