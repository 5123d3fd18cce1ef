import { describe, expect, test } from 'vitest';
import { html } from '../../../shared/core/text/markup.ts';

const HOSTILE = `"><script>alert('1')</script>&`;

describe('the html template tag escapes values', () => {
  test('escapes values in text and in attributes', () => {
    const { text } = html`<a title="${HOSTILE}">${HOSTILE}</a>`;
    const escaped = '&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;';
    expect(text).toBe(`<a title="${escaped}">${escaped}</a>`);
  });

  test('does not escape markup twice, alone or in a list', () => {
    const items = ['a & b', 'c'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>${html`<p>${'<'}</p>`}`.text).toBe(
      '<ul><li>a &#38; b</li><li>c</li></ul><p>&#60;</p>',
    );
  });

  test('renders nothing for an empty list or text, and 0 for zero', () => {
    expect(html`<p>${[]}${''}${0}</p>`.text).toBe('<p>0</p>');
  });
});
