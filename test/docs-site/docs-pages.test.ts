import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PLANS } from '../../shared/core/accounts/plan.ts';
import { ERRORS } from '../../shared/core/errors.ts';
import { REASON_CODES } from '../../shared/core/reasons.ts';
import { createSite } from '../../shared/docs-site/site/docs-site.ts';
import { article, DEFAULTS, get, handlerOf, hrefsOf, SETTINGS, wordsOf } from './served-docs.ts';

const ROOT = new URL('../..', import.meta.url);
/** A file of the latest build that lists the imports of the bundles. */
const METAFILE = new URL('../../node_modules/.cache/nameplate/meta.json', import.meta.url);
const PACKAGE_JSON = new URL('../../package.json', import.meta.url);
const site = createSite(SETTINGS);
const pages = [...site.pages.keys()].map((name) => (name === 'index' ? '/docs' : `/docs/${name}`));

describe('the documentation site', () => {
  test('has a page for each error code and each status reason', () => {
    for (const code of Object.keys(ERRORS)) {
      expect(pages).toContain(`/docs/errors/${code.replace(/_service$/, '_acme')}`);
    }
    for (const code of REASON_CODES) expect(pages).toContain(`/docs/reasons/${code}`);
  });

  test.each(pages)('serves %s as a complete page, without a dead link', (path) => {
    const { status, contentType, body } = get(path);
    expect(status).toBe(200);
    expect(contentType).toBe('text/html; charset=utf-8');
    expect(body).toMatch(/^<!doctype html>\n<html lang="en" /);
    expect(body.match(/<h1[ >]/g)).toHaveLength(1);
    expect(body).toMatch(/<meta name="description" content="[^"]{10,}">/);
    expect(body).toContain('<main id="main"');
    expect(body).not.toMatch(/ on[a-z]+="|\{[a-z]+_(url|table)[}:]/);
    const ids = [...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    for (const href of hrefsOf(body)) {
      const [target = '', fragment] = href.replace(SETTINGS.docsUrl, '/docs').split('#');
      if (/^https?:/.test(target)) continue;
      const linked = get(target || path);
      expect.soft(linked.status, href).toBe(200);
      if (fragment !== undefined) expect.soft(linked.body, href).toContain(`id="${fragment}"`);
    }
  });

  test.each(pages)(
    'begins %s with an h1, skips no level of headings, and gives every table column a heading',
    (path) => {
      const { body } = get(path);
      const levels = [...body.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
      expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
      expect(levels[0]).toBe(1);
      const tables = [...body.matchAll(/<table>\n?(?:<caption>.*?<\/caption>\n?)?(.{10})/g)].map(
        ([, begin]) => begin,
      );
      expect(tables.filter((begin) => begin !== '<thead><tr')).toEqual([]);
      expect(body).not.toMatch(/<th[^>]*>\s*<\/th>/);
    },
  );

  test.each(pages)('links %s from the tree of its part, and highlights the current page there', (path) => {
    const tree = /<nav id="tree".*?<\/nav>/s.exec(get(path).body)?.[0] ?? '';
    if (path === '/docs') return expect(tree).not.toContain('aria-current');
    expect(tree).toContain('aria-current="true"');
    expect(tree).toContain(`href="${path}" aria-current="page"`);
  });

  test('connects all pages through their links to the previous and the next page', () => {
    const visited: string[] = [];
    for (let path: string | undefined = '/docs/quickstart'; path !== undefined; ) {
      visited.push(path);
      path = / rel="next" href="([^"]*)"/.exec(get(path).body)?.[1];
    }
    expect(visited.toSorted()).toEqual(pages.filter((path) => path !== '/docs').toSorted());
  });

  test('accepts a trailing slash in the path of a page', () => {
    expect(get('/docs/').body).toBe(get('/docs').body);
    expect(get('/docs/errors/').body).toBe(get('/docs/errors').body);
  });

  test.each(['/', '/v1/domains', '/docsx', '/doc', '', '/llms-full.txt'])(
    'does not serve the path "%s"',
    (path) => {
      expect(handlerOf()(path)).toBeNull();
    },
  );

  test.each([
    '/docs/../package.json',
    '/docs/..%2f..%2fpackage',
    '/docs/../../package.json',
    '/docs//etc/passwd',
    '/docs/QUICKSTART',
    '/docs/quickstart/more',
    '/docs/seed.schema.json',
    '/docs/pictures',
    '/docs/constructor',
    '/docs/\0',
  ])('responds with 404 to %j and lists the guides', (path) => {
    const { status, body } = get(path);
    expect(status).toBe(404);
    expect(hrefsOf(body)).toContain('/docs/quickstart');
  });

  test.each([
    ['errors', 'nope', 'rate_limited'],
    ['errors', '__proto__', 'rate_limited'],
    ['errors', 'hostname_is_service', 'rate_limited'],
    ['errors', '<script>alert(1)', 'rate_limited'],
    ['reasons', 'constructor', 'dns_proxied'],
  ])('responds with 404 to /docs/%s/%s and lists the known codes', (folder, code, known) => {
    const { status, body } = get(`/docs/${folder}/${code}`);
    expect(status).toBe(404);
    expect(hrefsOf(body)).toContain(`/docs/${folder}/${known}`);
    expect(body).not.toContain('alert(1)');
  });

  test('uses the path of docs_url in its links', () => {
    const atRoot = { ...SETTINGS, docsUrl: 'https://docs.acme-cdn.net' };
    const hrefs = hrefsOf(get('/docs', atRoot).body);
    expect(hrefs).toEqual(expect.arrayContaining(['/', '/errors', '/quickstart', '/index.md']));
    expect(hrefs.filter((href) => href.startsWith('/docs'))).toEqual([]);
  });
});

describe('a page of the documentation site', () => {
  test('loads scripts, styles and pictures from its own host only, and has nothing inline', () => {
    const policy = get('/docs').headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|data:|\*/);
    for (const path of pages) expect(get(path).body, path).not.toMatch(/ style="| align="|<style|<script>/);
  });

  test('has an ETag that depends on its content', () => {
    const [page, other] = ['/docs', '/docs/errors'].map((path) => get(path).headers['etag']);
    expect(page).toMatch(/^"[\w-]{22}"$/);
    expect(other).not.toBe(page);
    expect(get('/docs').headers['cache-control']).toBe('no-cache');
  });

  test('loads files that browsers may store for a year, because the addresses contain a digest', () => {
    const [style = ''] = hrefsOf(get('/docs').body).filter((href) => href.endsWith('.css'));
    expect(get(style).contentType).toBe('text/css; charset=utf-8');
    expect(get(style).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const ofAnotherVersion = get(style.replace(/[\w-]{12}-docs/, 'AAAAAAAAAAAA-docs'));
    expect(ofAnotherVersion.body).toBe(get(style).body);
    expect(ofAnotherVersion.headers['cache-control']).toBe('no-cache');
    expect(get('/docs/assets/none.css').status).toBe(404);
  });
});

describe('the Markdown of a documentation page', () => {
  test.each(pages.filter((path) => path !== '/docs'))(
    'has the address %s.md, and all its placeholders are filled in',
    (path) => {
      const { status, contentType, body } = get(`${path}.md`);
      expect(status).toBe(200);
      expect(contentType).toBe('text/markdown; charset=utf-8');
      expect(body).toMatch(/^# /);
      expect(body).not.toMatch(/\{[a-z]+_(url|table)[}:]|Service-Signature/);
    },
  );

  test('has the addresses /docs.md and /docs/index.md for the first page', () => {
    expect(get('/docs.md').body).toBe(get('/docs/index.md').body);
  });

  test('is listed in llms.txt, at the root and below the documentation', () => {
    const { body, contentType } = get('/llms.txt');
    expect(contentType).toBe('text/plain; charset=utf-8');
    expect(body).toBe(get('/docs/llms.txt').body);
    expect(body).toMatch(/^# Nameplate\n\n> .+\n\n## Start\n\n- \[Quick start\]\(/);
    const addresses = [...body.matchAll(/\]\((.*?)\)/g)].map(([, href = '']) =>
      href.replace(SETTINGS.docsUrl, '/docs'),
    );
    expect(addresses.length).toBeGreaterThan(20);
    for (const address of addresses) expect(get(address).status, address).toBe(200);
  });

  test('is part of llms-full.txt', () => {
    const { body } = get('/docs/llms-full.txt');
    for (const path of pages)
      expect(body).toContain(get(path === '/docs' ? '/docs.md' : `${path}.md`).body.trim());
  });
});

describe('a guide on the documentation site', () => {
  test('replaces the default names with the configured ones', () => {
    expect(article('/docs/origins')).toContain('X-Acme-Signature');
    expect(article('/docs/test-mode')).toContain('Acme Test CA');
    const byDefault =
      /Service-|service-(signature|event-id|delivery-id)|x-service-|(?<!\w)_service\b|hostname_is_service|Service Test CA/;
    for (const path of pages) expect(get(path).body, path).not.toMatch(byDefault);
    expect(wordsOf(article('/docs/quickstart'))).toContain("request.headers['acme-signature']");
    for (const guide of ['origins', 'sdk-webhooks']) {
      expect(wordsOf(article(`/docs/${guide}`))).toContain("serviceName: 'Acme'");
    }
    expect(article('/docs/origins', DEFAULTS)).toContain('X-Service-Signature');
    expect(article('/docs/deploying-edge')).toContain('cap_net_bind_service');
  });

  test('shows the configured plans', () => {
    const plans = { ...PLANS, growth: { ...PLANS.growth, included: 77, limit: 154 } };
    const { body } = get('/docs/plans-and-limits.md', { ...SETTINGS, plans });
    expect(body).toContain('| growth | 77 | 154 | no | yes | yes |');
  });

  test('lists exactly the packages that the product uses', () => {
    const { body } = get('/docs/dependencies.md');
    const named = [...body.matchAll(/^\| `(.+?)` \|/gm)].map(([, name]) => name);
    const { inputs }: { inputs: Record<string, { imports: { original?: string }[] }> } = JSON.parse(
      readFileSync(METAFILE, 'utf8'),
    );
    const bundled = Object.entries(inputs)
      .filter(([file]) => !file.includes('node_modules/') && !file.includes(':'))
      .flatMap(([, { imports }]) => imports.map(({ original = '' }) => packageOf(original)));
    const inBrowser = globSync('{emulator,shared}/**/browser/**/*.{ts,tsx}', { cwd: ROOT }).flatMap((file) =>
      [...readFileSync(new URL(file, ROOT), 'utf8').matchAll(/ from '([^']+)';$/gm)].map(([, from = '']) =>
        packageOf(from),
      ),
    );
    const saidInBrowser = [...body.matchAll(/^\| `(.+?)` \|.*in the browser/gm)].map(([, name]) => name);
    expect(new Set(saidInBrowser)).toEqual(new Set(inBrowser.filter((name) => name !== null)));
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(PACKAGE_JSON, 'utf8'));
    const needed = [...bundled, ...inBrowser, ...Object.keys(dependencies), ...Object.keys(peerDependencies)];
    expect(new Set(named)).toEqual(new Set(needed.filter((name) => name !== null)));
  });

  test('links the first use of a term to the glossary, except in headings, code and other links', () => {
    const links = [...article('/docs/webhooks').matchAll(/<a class="term" href="([^"]*)"/g)].map(
      ([, href]) => href,
    );
    expect(links.length).toBeGreaterThan(2);
    expect(links).toHaveLength(new Set(links).size);
    expect(article('/docs/webhooks')).not.toMatch(/<h\d[^>]*>[^\n]*class="term"|<code>[^<]*<a/);
    expect(article('/docs/glossary')).not.toContain('class="term"');
  });
});

/** Returns the package that an import names; null for a file of this repository or a module of Node. */
function packageOf(specifier: string): string | null {
  if (specifier === '' || specifier.startsWith('.') || specifier.startsWith('node:')) return null;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
