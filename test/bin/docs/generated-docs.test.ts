import path from 'node:path';
import { expect, test } from 'vitest';
import { codePages } from '../../../bin/docs/code-pages.ts';
import { outdatedDocs } from '../../../bin/docs/generated-docs.ts';
import { withGeneratedParts } from '../../../bin/docs/tables.ts';
import { stateDiagram } from '../../../shared/core/domains/state-edges.ts';

const root = path.resolve(import.meta.dirname, '../../..');

test('the generated pages and tables of the docs are up to date; if not, run npm run reference', () => {
  const { files, stale } = outdatedDocs(root);
  expect([...files.keys()]).toEqual([]);
  expect(stale).toEqual([]);
});

test('the generator replaces the text between its markers, and no other text', () => {
  const text = 'a\n<!-- state-diagram -->\nold $& $1\n<!-- /state-diagram -->\nb\n';
  expect(withGeneratedParts(text)).toBe(
    `a\n<!-- state-diagram -->\n\`\`\`mermaid\n${stateDiagram()}\n\`\`\`\n<!-- /state-diagram -->\nb\n`,
  );
  expect(withGeneratedParts('no markers <!-- alone -->')).toBe('no markers <!-- alone -->');
});

test('the generator refuses a marker with an unknown name', () => {
  expect(() => withGeneratedParts('<!-- no-such-part -->\n<!-- /no-such-part -->')).toThrow(
    'no part is called no-such-part',
  );
});

test('if the causes of an error code have the wrong form, the error of the generator names the page', () => {
  const texts = new Map([
    [
      'errors/unauthorized.md',
      '## Causes\n\n### No key\n\n- **Fix:** Send one.\n\n## Related\n\n- [A](a.md)\n',
    ],
  ]);
  const whole = '## The cause\n\n### A\n\n- **How to tell:** b\n- **Fix:** c\n\n## Related\n\n- [A](a.md)\n';
  expect(() => codePages((file) => texts.get(file) ?? whole)).toThrow(
    'shared/docs/errors/unauthorized.md needs',
  );
  const pages = codePages(() => whole);
  expect(pages.get('errors/unauthorized.md')).toContain(
    '### A\n\n- **How to tell:** b\n- **Fix:** c\n\n## Example',
  );
  expect(pages.get('reasons/dns_proxied.md')?.endsWith('## Related\n\n- [A](a.md)\n')).toBe(true);
});
