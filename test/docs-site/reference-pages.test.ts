import { describe, expect, test } from 'vitest';
import { operationFile } from '../../bin/docs/operation-pages.ts';
import { stateTable } from '../../shared/core/domains/state-edges.ts';
import { STATUSES } from '../../shared/core/domains/status.ts';
import { FORCED_OUTCOMES } from '../../shared/core/domains/test-mode.ts';
import { TRANSITIONS } from '../../shared/core/domains/transitions.ts';
import { ERRORS, type ErrorCode } from '../../shared/core/errors.ts';
import { STATUS_LOOKS } from '../../shared/core/look/status-look.ts';
import { PROVIDERS } from '../../shared/core/providers/providers.ts';
import { REASON_CODES, REASONS } from '../../shared/core/reasons.ts';
import { createDocs } from '../../shared/docs-site/docs-pages.ts';
import { methodBadge } from '../../shared/docs-site/markdown/markdown.ts';
import { createSite } from '../../shared/docs-site/site/docs-site.ts';
import { apiKeySchema } from '../../shared/schema/api-key.ts';
import { appSchema } from '../../shared/schema/app.ts';
import { domainSchema } from '../../shared/schema/domain.ts';
import { deliverySchema, eventSchema } from '../../shared/schema/event.ts';
import { ROUTES } from '../../shared/schema/routes.ts';
import { article, DEFAULTS, get, SETTINGS, wordsOf } from './served-docs.ts';

test('the API reference has every field, route and transition, each with an explanation', () => {
  const body = article('/docs/api');
  for (const { method, path } of Object.values(ROUTES)) {
    expect(body).toContain(`${methodBadge(method).text} <code>${path}</code></a></td>`);
  }
  for (const schema of [appSchema, domainSchema, apiKeySchema, eventSchema, deliverySchema]) {
    for (const field of Object.keys(schema.shape)) expect(body).toContain(`<dt><code>${field}</code>`);
  }
  expect(body).toContain('>dns_gone or whitelabel_grace_passed / domain.dns_broken</td>');
  expect(body).not.toMatch(/<(t?d[dt]|td)[^>]*><\//);
});

test('the page of an error code shows its HTTP status once, before the code', () => {
  const body = article('/docs/errors/rate_limited');
  expect(body).toContain('<span class="method">429</span> <code>rate_limited</code>');
  expect(body).not.toMatch(/HTTP status<|<dl class="facts"><\/dl>/);
});

describe('the reference page of an operation', () => {
  const ids = Object.keys(ROUTES).map((id) => operationFile(id).replace(/\.md$/, ''));

  test.each(ids)(
    'shows the operation %s in seven languages and its responses by status, and explains every field',
    (name) => {
      const [languages, responses] = [
        ...article(`/docs/${name}`).matchAll(/role="radiogroup".*?<\/header>/gs),
      ].map(([group]) => [...group.matchAll(/value="(.*?)"/g)].map(([, label]) => label));
      expect(languages).toEqual(['curl', 'CLI', 'JavaScript', 'Python', 'Ruby', 'Go', 'PHP']);
      expect(responses?.[0]).toMatch(/^20\d/);
      expect(get(`/docs/${name}.md`).body).not.toMatch(/\| – \|$/m);
    },
  );

  test('shows one response for each status with which the operation refuses a request', () => {
    const { body } = get('/docs/api/create-domain.md');
    expect([...String(body).matchAll(/^```json tab="(.*)"\n/gm)].map(([, label]) => label)).toEqual([
      '201, 200',
      '402',
      '422',
    ]);
    expect(body).toContain('"code": "invalid_hostname"');
    expect(get('/docs/api/delete-domain.md').body).toContain('```text tab="204"\n(no body)\n```');
  });

  test('links each error that the operation can return', () => {
    expect(article('/docs/api/create-domain')).toContain('href="/docs/errors/domain_limit_reached"');
    expect(article('/docs/api/get-domain')).not.toContain('href="/docs/errors/domain_limit_reached"');
  });

  test('can send the request only if its server has a key that may be public', () => {
    expect(get('/docs/api/create-domain').body).not.toContain('class="try"');
    const withKey = String(createDocs(SETTINGS, 'sk_test_known')('/docs/api/create-domain')?.body);
    expect(withKey).toContain('<div class="try" data-method="POST" data-address="/v1/domains" data-body="{');
    expect(withKey).toContain('data-key="sk_test_known"');
  });
});

describe('the reference page of an error', () => {
  test.each(Object.keys(ERRORS) as ErrorCode[])('shows the status, message and fix of %s', (code) => {
    const words = wordsOf(article(`/docs/errors/${code}`, DEFAULTS));
    const { status, message, fix } = ERRORS[code];
    for (const part of [`${status} `, message.replace(/\.$/, ''), fix.replaceAll('`', '')])
      expect(words).toContain(part);
    expect(words).toContain(`"docs": "${SETTINGS.docsUrl}/errors/${code}"`);
  });

  test('has the configured service name in the error code', () => {
    expect(get('/docs/errors/hostname_is_acme').status).toBe(200);
    expect(article('/docs/errors')).toContain('href="/docs/errors/hostname_is_acme"');
    expect(article('/docs/errors')).not.toContain('hostname_is_service');
  });

  test('names the operations that can return the error', () => {
    const body = article('/docs/errors/live_keys_need_plan');
    expect(wordsOf(body)).toContain('POST /v1/keys');
    expect(wordsOf(body)).not.toContain('GET /v1/events');
  });
});

describe('the reference page of a status reason', () => {
  test.each(REASON_CODES)('shows the title and meaning of %s', (code) => {
    const words = wordsOf(article(`/docs/reasons/${code}`));
    expect(words).toContain(REASONS[code].title);
    expect(words).toContain(REASONS[code].meaning);
  });

  test.each(REASON_CODES)('gives a complete hint for %s', (code) => {
    const [, hint = ''] = /^\| What to do \| (.*) \|$/m.exec(get(`/docs/reasons/${code}.md`).body) ?? [];
    expect(hint).toMatch(/^[A-Z].+\.$/);
    expect(hint, 'no brackets, braces, tags or placeholders').not.toMatch(/[[\]{}<>]|undefined|null/);
    // The page fills the hint from an example with every value, so the page must contain all optional parts of the hint.
    const parts = REASONS[code].hint.split(/[[\]]|\{[a-z]+\}/).map((part) => part.trim());
    for (const part of parts) expect(hint).toContain(part);
  });
});

const codePages = [
  ...Object.keys(ERRORS).map((code) => `errors/${code.replace(/_service$/, '_acme')}`),
  ...REASON_CODES.map((code) => `reasons/${code}`),
];

test.each(codePages)(
  'the page %s lists causes, each with its signs and its fix, and related pages',
  (name) => {
    const { body } = get(`/docs/${name}.md`);
    const [, causes = ''] = /^## (?:The cause|Causes)\n(.*?)^## /ms.exec(body) ?? [];
    const count = causes.match(/^### \S/gm)?.length ?? 0;
    expect(count).toBeGreaterThan(0);
    expect(causes.match(/^- \*\*How to tell:\*\* [A-Z`“].+\.$/gm)).toHaveLength(count);
    expect(causes.match(/^- \*\*Fix:\*\* [A-Z`“].+\.$/gm)).toHaveLength(count);
    expect(body).toMatch(/^## Related\n\n- \[/m);
    expect(body, 'no template syntax').not.toMatch(
      /\[ <|<name>|\{(?:name|type|expected|found|wait)\}|undefined/,
    );
  },
);

describe('the state machine in the guide on states', () => {
  const figure = /<figure class="machine">.*?<\/figure>/s.exec(get('/docs/states').body)?.[0] ?? '';
  const drawing = /<svg xmlns.*?<\/svg>/s.exec(figure)?.[0] ?? '';

  test('is drawn with the code and the words of every status', () => {
    expect(drawing).toMatch(/ role="img" aria-label="[^"]+"/);
    for (const status of STATUSES) {
      expect(drawing).toContain(`>${status}</text>`);
      expect(drawing).toContain(`>${STATUS_LOOKS[status].words}</text>`);
    }
  });

  test('is drawn with the trigger, the condition and the event of each edge, and with no others', () => {
    // A label may take several lines. The drawing groups statuses in other words than the table, so that two edges differ in their notes.
    const shown = wordsOf(drawing.replaceAll(/<\/?(?:text|tspan)[^>]*>/g, ' ')).replace(/\s+/g, ' ');
    const count = (word: string) => shown.split(new RegExp(`(?<![\\w.])${word}(?![\\w.])`)).length - 1;
    const labels = stateTable().map(({ label }) => label);
    const words = new Set(labels.flatMap((label) => label.match(/[\w.]+/g) ?? []));
    for (const word of [...words].filter(
      (each) => /[_.]/.test(each) && !STATUSES.some((status) => status === each),
    )) {
      const expected = labels.filter((label) => label.split(/[ [\]]/).includes(word)).length;
      expect(count(word), word).toBe(expected);
    }
    expect(drawing.match(/class="line"/g)).toHaveLength(labels.length);
  });

  test('is also a list of the ways out of each state, with each edge of the diagram', () => {
    const ways = [...figure.matchAll(/<p>(<code>.*?)<\/p>/g)].map(([, label = '']) => wordsOf(label));
    expect(ways.toSorted()).toEqual(
      stateTable()
        .map(({ label }) => label.replace(' / ', ' sends '))
        .toSorted(),
    );
    for (const { on, emits } of TRANSITIONS) {
      expect(figure).toContain(on);
      if (emits !== null) expect(figure).toContain(emits);
    }
  });

  test('is Mermaid in the Markdown file, but no page shows the Mermaid source', () => {
    expect(get('/docs/states.md').body).toContain('```mermaid\nstateDiagram-v2');
    for (const name of createSite(SETTINGS).pages.keys()) {
      expect(article(`/docs/${name}`), name).not.toMatch(/stateDiagram|flowchart|sequenceDiagram/);
    }
  });
});

test('the guide on test mode lists each forced outcome', () => {
  const words = wordsOf(article('/docs/test-mode', DEFAULTS));
  for (const { label, summary } of FORCED_OUTCOMES) {
    expect(words).toContain(label);
    expect(words).toContain(summary.replaceAll('`', ''));
  }
});

test('the guide on DNS providers has a row for each provider', () => {
  const body = article('/docs/providers');
  for (const { name, name_servers } of PROVIDERS) {
    expect(wordsOf(body)).toContain(name);
    for (const zone of name_servers) expect(body).toContain(`<code>${zone}</code>`);
  }
});
