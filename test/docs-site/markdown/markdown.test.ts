import { expect, test } from 'vitest';
import { escapeHtml } from '../../../shared/core/text/markup.ts';
import { COPY_BUTTON } from '../../../shared/docs-site/markdown/code-blocks.ts';
import { createTermLinker } from '../../../shared/docs-site/markdown/glossary.ts';
import { type MarkdownTargets, renderMarkdown } from '../../../shared/docs-site/markdown/markdown.ts';

const PICTURE = { src: '/docs/assets/a.svg', width: 640, height: 200 };

function render(text: string, targets: Partial<MarkdownTargets> = {}): string {
  const { intro, samples, rest } = renderMarkdown(text, {
    hrefOf: (href) => (href.endsWith('.md') ? `/docs/${href.replace('.md', '')}` : null),
    pictureOf: (href) => (href === 'pictures/a.svg' ? PICTURE : null),
    linkTerms: escapeHtml,
    ...targets,
  });
  return intro.text + samples.text + rest.text;
}

test('a documentation page shows raw HTML as text', () => {
  expect(render('a <b onclick="x">b</b>\n\n<script>alert(1)</script>')).not.toMatch(/<(b|script)\b/);
});

test('a documentation page leaves out HTML comments', () => {
  expect(render('<!-- a marker -->\n\na')).toBe('<p>a</p>\n');
});

test('a documentation page escapes code', () => {
  expect(render('`<a & "b">`\n\n```text\n<i>\n```')).toBe(
    `<p><code>&lt;a &amp; &quot;b&quot;&gt;</code></p>\n<div class="code"><header>Text${COPY_BUTTON}</header><pre tabindex="0"><code>&#60;i&#62;\n</code></pre></div>\n`,
  );
  expect(render('```js\nconst a = "<i>";\n```')).toContain(
    '<span class="hljs-keyword">const</span> a = <span class="hljs-string">&quot;&lt;i&gt;&quot;</span>',
  );
});

test('a documentation page shows a link to a file that is not a page as plain text', () => {
  expect(render('[a](webhooks.md) [b](../core/a.ts)')).toBe('<p><a href="/docs/webhooks">a</a> b</p>\n');
});

test('a documentation page shows our pictures with their size, and the alternative text of any other picture', () => {
  expect(render('![a "picture"](pictures/a.svg)')).toBe(
    '<p><img src="/docs/assets/a.svg" width="640" height="200" alt="a &#34;picture&#34;"></p>\n',
  );
  expect(render('![a "picture"](https://example.net/a.png)')).toBe('<p>a &#34;picture&#34;</p>\n');
});

test('a documentation page shows the narrow variant of a picture on phones, if there is one', () => {
  const pictureOf = (href: string) =>
    href.endsWith('a-narrow.svg') ? { src: '/a-narrow.svg', width: 343, height: 400 } : PICTURE;
  expect(render('![a](pictures/a.svg)', { pictureOf })).toBe(
    '<p><picture><source media="(max-width: 40rem)" srcset="/a-narrow.svg" width="343" height="400"><img src="/docs/assets/a.svg" width="640" height="200" alt="a"></picture></p>\n',
  );
});

test('a documentation page gives headings an id and a link, and a repeated heading a number', () => {
  expect(render('## Rotate the `secret`, now')).toBe(
    '<h2 id="rotate-the-secret-now">Rotate the <code>secret</code>, now<a class="anchor" href="#rotate-the-secret-now" aria-label="Link to “Rotate the secret, now”">#</a></h2>\n',
  );
  expect(render('## A\n\n## A')).toMatch(/id="a">.*id="a-1">/s);
});

test('a documentation page gives tables header cells, and gives each row of the glossary an id', () => {
  const table = '| A |\n| --- |\n| White label |';
  expect(render(table)).toContain('<th scope="col">A</th>');
  expect(render(table, { hasRowIds: true })).toContain('<tr id="white-label">');
});

test('a documentation page groups consecutive code blocks that have a tab, and shows no other attributes of a block', () => {
  const blocks =
    '```sh tab="curl" run=a\ncurl\n```\n\n```js tab="JavaScript"\nfetch()\n```\n\n```sh\nls\n```';
  const html = render(blocks);
  expect(
    [...html.matchAll(/<input type="radio" name="tabs-1" value="(.*?)"/g)].map(([, label]) => label),
  ).toEqual(['curl', 'JavaScript']);
  expect(html.match(/<div class="code tabs" role="radiogroup" aria-label="Language">/g)).toHaveLength(1);
  expect(html.indexOf('ls')).toBeGreaterThan(html.lastIndexOf('</pre>\n</div>'));
  expect(html).not.toContain('run=');
});

test('a text between two code blocks with tabs separates their groups, and a list may contain such a block', () => {
  const block = '```sh tab="curl"\ncurl\n```';
  expect(render(`${block}\n\nthen\n\n${block}`).match(/<div class="code tabs"/g)).toHaveLength(2);
  expect(
    render(`1. a\n\n   ${block.replaceAll('\n', '\n   ')}`).match(/<div class="code tabs"/g),
  ).toHaveLength(1);
});

test('a documentation page links the first use of a glossary term, except in headings, links and code', () => {
  const terms = [
    { term: 'Origin', meaning: 'Your "server"' },
    { term: 'CA', meaning: 'An authority' },
  ];
  const html = render('# Origin\n\n`origin` [origin](a.md) two origins, an origin, ca and CA.', {
    linkTerms: createTermLinker(terms, '/docs/glossary'),
  });
  expect(html).toContain(
    '<a href="/docs/a">origin</a> two <a class="term" href="/docs/glossary#origin" title="Your &#34;server&#34;">origins</a>, an origin, ca and <a class="term" href="/docs/glossary#ca" title="An authority">CA</a>.',
  );
});
