import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PLANS } from '../../../shared/core/accounts/plan.ts';
import { stateTable } from '../../../shared/core/domains/state-diagram.ts';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { FORCED_OUTCOMES } from '../../../shared/core/domains/test-mode.ts';
import { TRANSITIONS } from '../../../shared/core/domains/transitions.ts';
import { ERRORS, type ErrorCode } from '../../../shared/core/errors.ts';
import { REASON_CODES, REASONS } from '../../../shared/core/reasons.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { escapeHtml } from '../../../shared/core/text/markup.ts';
import { docsHandler } from '../../../shared/http/pages/docs-pages.ts';
import { guideNames, readGuide } from '../../../shared/http/pages/guides.ts';
import { REASON_EXAMPLES } from '../../../shared/http/pages/reason-examples.ts';
import { apiKeySchema } from '../../../shared/schema/api-key.ts';
import { appSchema } from '../../../shared/schema/app.ts';
import { domainSchema } from '../../../shared/schema/domain.ts';
import { deliverySchema, eventSchema } from '../../../shared/schema/event.ts';
import { ROUTES } from '../../../shared/schema/routes.ts';

const PACKAGE_JSON = new URL('../../../package.json', import.meta.url);

const SETTINGS = {
  baseUrl: 'https://api.acme-cdn.net',
  docsUrl: 'https://api.acme-cdn.net/docs',
  names: serviceNames('Acme'),
  plans: PLANS,
};
const DEFAULTS = { ...SETTINGS, names: serviceNames('Service') };

function get(path: string, settings: typeof SETTINGS = SETTINGS) {
  const answer = docsHandler(path, settings);
  if (!answer) throw new Error(`${path} is not the documentation's`);
  return answer;
}

function hrefsOf(body: string): string[] {
  return [...body.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href);
}

const pages = [
  '/docs',
  ...guideNames().map((name) => `/docs/${name}`),
  ...Object.keys(ERRORS).map((code) => `/docs/errors/${code.replace(/_service$/, '_acme')}`),
  ...REASON_CODES.map((code) => `/docs/reasons/${code}`),
];

describe('the documentation', () => {
  test.each(pages)('serves %s as a complete page whose links all exist', (path) => {
    const { status, contentType, body } = get(path);
    expect(status).toBe(200);
    expect(contentType).toBe('text/html; charset=utf-8');
    expect(body).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(body.match(/<h1[ >]/g)).toHaveLength(1);
    expect(body).toContain('<main id="main"');
    expect(body).not.toMatch(/<script| on[a-z]+="|<img|\{[a-z]+_(url|table)[}:]/);
    for (const href of hrefsOf(body)) {
      if (href.startsWith('/')) expect.soft(get(href.split('#')[0] ?? '').status, href).toBe(200);
    }
  });

  test('has every field, route and transition in the API reference, each with an explanation', () => {
    const { body } = get('/docs/api');
    for (const { method, path } of Object.values(ROUTES)) {
      expect(body).toContain(`<td><code>${method} ${path}</code></td>`);
    }
    for (const schema of [appSchema, domainSchema, apiKeySchema, eventSchema, deliverySchema]) {
      for (const field of Object.keys(schema.shape)) expect(body).toContain(`<td><code>${field}</code></td>`);
    }
    expect(body).toContain('<td>dns_gone or whitelabel_grace_passed / domain.dns_broken</td>');
    expect(body).not.toContain('<td></td>');
  });

  test.each(pages)('links only to headings that exist, in %s', (path) => {
    for (const href of hrefsOf(get(path).body).filter((each) => each.includes('#'))) {
      const [target, fragment = ''] = href.split('#');
      expect.soft(get(target || path).body, href).toContain(`id="${fragment}"`);
    }
  });

  test('accepts a trailing slash', () => {
    expect(get('/docs/').body).toBe(get('/docs').body);
    expect(get('/docs/errors/').body).toBe(get('/docs/errors').body);
  });

  test.each(['/', '/v1/domains', '/docsx', '/doc', ''])('leaves the path "%s" to others', (path) => {
    expect(docsHandler(path, SETTINGS)).toBeNull();
  });

  test.each([
    '/docs/../package.json',
    '/docs/..%2f..%2fpackage',
    '/docs/../../package.json',
    '/docs//etc/passwd',
    '/docs/QUICKSTART',
    '/docs/quickstart.md',
    '/docs/quickstart/more',
    '/docs/constructor',
    '/docs/\0',
  ])('answers 404 for %j and lists the guides', (path) => {
    const { status, body } = get(path);
    expect(status).toBe(404);
    expect(hrefsOf(body)).toContain('/docs/quickstart');
  });

  test.each(['nope', '__proto__', 'toString', 'hostname_is_service', '<script>alert(1)'])(
    'responds with 404 to the unknown error code %s and lists the known ones',
    (code) => {
      const { status, body } = get(`/docs/errors/${code}`);
      expect(status).toBe(404);
      expect(hrefsOf(body)).toContain('/docs/errors/rate_limited');
      expect(body).not.toContain('<script');
    },
  );

  test('responds with 404 to an unknown reason and lists the known ones', () => {
    const { status, body } = get('/docs/reasons/constructor');
    expect(status).toBe(404);
    expect(hrefsOf(body)).toContain('/docs/reasons/dns_proxied');
  });

  test('links under the path of docs_url', () => {
    const atRoot = { ...SETTINGS, docsUrl: 'https://docs.acme-cdn.net' };
    const hrefs = hrefsOf(get('/docs', atRoot).body);
    expect(hrefs).toEqual(expect.arrayContaining(['/', '/errors', '/quickstart']));
    expect(hrefs.filter((href) => href.startsWith('/docs'))).toEqual([]);
  });
});

describe('a page', () => {
  test('allows only its own style, by its hash', async () => {
    const { headers, body } = get('/docs');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? '';
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
    expect(policy).toContain(`style-src 'sha256-${Buffer.from(hash).toString('base64')}'`);
  });

  test('has no inline style attributes, which the policy would refuse', () => {
    for (const path of pages) expect(get(path).body, path).not.toMatch(/ style="| align="/);
  });
});

describe('the page of an error', () => {
  test.each(Object.keys(ERRORS) as ErrorCode[])('shows the status, message and fix of %s', (code) => {
    const { body } = get(`/docs/errors/${code}`, DEFAULTS);
    const { status, message, fix } = ERRORS[code];
    expect(body).toContain(`<dd>${status} `);
    expect(body).toContain(escapeHtml(message));
    expect(body).toContain(escapeHtml(fix));
    expect(body).toContain(escapeHtml(`"docs": "${SETTINGS.docsUrl}/errors/${code}"`));
  });

  test('is found by the code with the configured service name', () => {
    expect(get('/docs/errors/hostname_is_acme').status).toBe(200);
    expect(get('/docs/errors').body).toContain('href="/docs/errors/hostname_is_acme"');
    expect(get('/docs/errors').body).not.toContain('hostname_is_service');
  });

  test('names the operations that can return it', () => {
    const { body } = get('/docs/errors/live_keys_need_plan');
    expect(body).toContain('POST /v1/keys');
    expect(body).not.toContain('GET /v1/events');
  });
});

describe('the page of a reason', () => {
  test.each(REASON_CODES)('shows the title and meaning of %s', (code) => {
    const { body } = get(`/docs/reasons/${code}`);
    expect(body).toContain(escapeHtml(REASONS[code].title));
    expect(body).toContain(escapeHtml(REASONS[code].meaning));
  });

  test.each(REASON_CODES)('gives a complete hint for %s', (code) => {
    const [, advice = ''] =
      /<dt>What to do<\/dt><dd>(.*?)<\/dd>/s.exec(get(`/docs/reasons/${code}`).body) ?? [];
    expect(advice).toMatch(/^[A-Z].+\.$/);
    expect(advice, 'no brackets, braces, tags or placeholders').not.toMatch(/[[\]{}<>]|&#60;|undefined|null/);
    // The hint is rendered with all its parts and a value for each placeholder.
    const example: Readonly<Record<string, string | null>> = { ...REASON_EXAMPLES[code] };
    const whole = REASONS[code].hint
      .replaceAll(/[[\]]/g, '')
      .replaceAll(/\{([a-z]+)\}/g, (placeholder, key) => {
        const fact = example[key];
        return typeof fact === 'string' ? fact.replaceAll('_service', '_acme') : placeholder;
      });
    expect(advice).toBe(escapeHtml(whole));
  });
});

describe('the state machine in the guide on domains', () => {
  const { body } = get('/docs/domains');
  const figure = /<figure class="machine">.*?<\/figure>/s.exec(body)?.[0] ?? '';

  test('is drawn with every status, for a wide and a narrow screen', () => {
    const drawings = figure.match(/<svg .*?<\/svg>/gs) ?? [];
    expect(drawings).toHaveLength(2);
    for (const drawing of drawings) {
      expect(drawing).toMatch(/ role="img" aria-label="[^"]+"/);
      for (const status of STATUSES) expect(drawing).toContain(`>${status}</text>`);
    }
  });

  test('is also a table, with a row for each edge of the diagram', () => {
    const rows = [...figure.matchAll(/<tr><td>.*?<td>([^<]*)<\/td><\/tr>/g)].map(([, label]) => label);
    expect(rows).toEqual(stateTable().map(({ label }) => escapeHtml(label)));
    for (const { on, emits } of TRANSITIONS) {
      expect(figure).toContain(on);
      if (emits !== null) expect(figure).toContain(emits);
    }
  });

  test('is Mermaid in the file, but no page shows the Mermaid source', () => {
    expect(readGuide('domains')).toContain('```mermaid\nstateDiagram-v2');
    for (const path of pages)
      expect(get(path).body, path).not.toMatch(/stateDiagram|flowchart|sequenceDiagram/);
  });
});

describe('a guide', () => {
  test('replaces the default names with the configured ones', () => {
    const { body } = get('/docs/origins');
    expect(body).toContain('X-Acme-Signature');
    expect(get('/docs/test-mode').body).toContain('Acme Test CA');
    const byDefault =
      /Service-|service-(signature|event-id|delivery-id)|x-service-|_service\b|Service Test CA/;
    for (const path of pages) expect(get(path).body, path).not.toMatch(byDefault);
    expect(get('/docs/quickstart').body).toContain('request.headers[&#39;acme-signature&#39;]');
    for (const guide of ['origins', 'sdk-webhooks']) {
      expect(get(`/docs/${guide}`).body).toContain('serviceName: &#39;Acme&#39;');
    }
    expect(get('/docs/origins', DEFAULTS).body).toContain('X-Service-Signature');
  });

  test('is listed in the index', () => {
    const hrefs = hrefsOf(get('/docs').body);
    const missing = guideNames().filter((name) => name !== 'index' && !hrefs.includes(`/docs/${name}`));
    expect(missing).toEqual([]);
  });

  test('shows each forced outcome of test mode', () => {
    const { body } = get('/docs/test-mode', DEFAULTS);
    for (const { label, summary } of FORCED_OUTCOMES) {
      expect(body).toContain(`<td><code>${label}</code></td><td>${escapeHtml(summary)}</td>`);
    }
  });

  test('shows the configured plans', () => {
    const plans = { ...PLANS, growth: { ...PLANS.growth, included: 77, limit: 154 } };
    const { body } = get('/docs/plans-and-limits', { ...SETTINGS, plans });
    expect(body).toContain('<td>growth</td><td>77</td><td>154</td><td>no</td><td>yes</td><td>yes</td>');
  });

  test('names each run-time dependency', () => {
    const text = readGuide('dependencies') ?? '';
    const named = [...text.matchAll(/^\| `(.+?)` \|/gm)].map(([, name]) => name);
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(PACKAGE_JSON, 'utf8'));
    expect(named).toEqual([...Object.keys(dependencies), ...Object.keys(optionalDependencies)]);
  });
});
