import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { escapeHtml, Markup } from '../../../shared/core/text/markup.ts';
import { PAGE_HEADERS, page } from '../../../shared/core/text/page.ts';

const HOSTILE = `"><script>alert('1')</script>&`;

describe('an HTML page of the edge is safe against injected text', () => {
  const made = page({ title: HOSTILE, main: new Markup('<h1>Here</h1>') });

  test('escapes its title', () => {
    expect(made).not.toContain('<script');
    expect(made).toContain(`<title>${escapeHtml(HOSTILE)}</title>`);
    expect(made).toContain('<main><h1>Here</h1></main>');
  });

  test('has a policy that allows only its one style, by hash', () => {
    const styles = [...made.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style);
    expect(styles).toHaveLength(1);
    const hash = createHash('sha256')
      .update(styles[0] ?? '')
      .digest('base64');
    expect(PAGE_HEADERS['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(made).not.toMatch(/ style="/);
  });
});
