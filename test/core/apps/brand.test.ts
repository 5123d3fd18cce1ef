import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { accentStyle, colorProblem } from '../../../shared/core/apps/brand.ts';
import { linkProblem, logoProblem } from '../../../shared/operations/apps/update-app.ts';

describe('a brand colour must suit the page', () => {
  test.each(['#1f4fd1', '#000000', '#B02A1C', '#0b7040'])('%s is accepted', (color) => {
    expect(colorProblem(color)).toBeNull();
  });

  test.each(['red', '#fff', '#12345g', '', '#1f4fd1;}', 'rgb(0,0,0)'])(
    '%j is refused as no colour',
    (color) => {
      expect(colorProblem(color)).toBe('must be a colour such as #1f4fd1');
    },
  );

  test('a colour that is too light is refused with its contrast, and the error suggests a darker shade', () => {
    const problem = colorProblem('#ffcc00') ?? '';
    expect(problem).toMatch(
      /^has a contrast of 1\.3:1 with the page and needs 4\.5:1, so choose a darker colour/,
    );
    expect(colorProblem(/#[0-9a-f]{6}/.exec(problem)?.[0] ?? '')).toBeNull();
  });

  test('a dark page shows the colour in a lighter shade', () => {
    const [light, dark] = [...accentStyle('#0B7040').matchAll(/--accent:(#[0-9a-f]{6})/g)].map(
      ([, color]) => color,
    );
    expect(light).toBe('#0b7040');
    expect(Number.parseInt(dark?.slice(3, 5) ?? '', 16)).toBeGreaterThan(0x70);
  });
});

function png(width: number, height: number, padding = 0): string {
  const head = Buffer.alloc(25);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(head);
  head.writeUInt32BE(13, 8);
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  const bytes = Buffer.concat([head, deflateSync(Buffer.alloc(8)), Buffer.alloc(padding)]);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

describe('a brand logo must be a small PNG', () => {
  test.each([
    ['a small PNG', png(64, 64), null],
    ['a PNG of 1024 pixels', png(1024, 1024), null],
    ['a PNG that becomes huge', png(50_000, 50_000), 'must be at most 1024 pixels wide and high'],
    ['a PNG without size', png(0, 64), 'must be at most 1024 pixels wide and high'],
    ['too many bytes', png(64, 64, 33_000), 'must have at most 32 KiB'],
    ['another file', 'data:image/png;base64,PHN2Zz48L3N2Zz48c3ZnPjwvc3ZnPjxzdmc+', 'is not a PNG'],
    ['an SVG', 'data:image/svg+xml;base64,PHN2Zy8+', 'must be a PNG as data:image/png;base64,…'],
    ['a URL', 'https://acme.com/logo.png', 'must be a PNG as data:image/png;base64,…'],
    ['text after the data', `${png(64, 64)}" onerror="`, 'must be a PNG as data:image/png;base64,…'],
  ])('a logo is accepted, or refused with a reason: %s', (_, logo, problem) => {
    expect(logoProblem(logo)).toBe(problem);
  });
});

describe('a link of the brand must be safe', () => {
  test.each(['https://help.acme.com/a?b=c#d', 'mailto:help@acme.com', 'mailto:help@acme.com?subject=Domain'])(
    'is accepted as the support link: %s',
    (link) => {
      expect(linkProblem(link, { mail: true })).toBeNull();
    },
  );

  test.each([
    'http://acme.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user:secret@acme.com',
    'mailto:',
    'mailto:a@b.c,d@e.f',
    'https://acme.com/"><script>',
    'acme.com',
  ])('is refused: %s', (link) => {
    expect(linkProblem(link, { mail: true })).not.toBeNull();
  });

  test('the link to return to the app cannot be a mail address', () => {
    expect(linkProblem('mailto:help@acme.com', { mail: false })).toBe('must be an https URL');
  });
});
