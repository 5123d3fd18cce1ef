import { expect, test } from 'vitest';
import { PLANS } from '../../shared/core/accounts/plan.ts';
import { PROVIDERS } from '../../shared/core/providers/providers.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { docsHandler } from '../../shared/http/pages/docs-pages.ts';

test('the guide on DNS providers has a row for each provider', () => {
  const settings = {
    names: serviceNames('Service'),
    baseUrl: 'https://api.example.net',
    docsUrl: 'https://api.example.net/docs',
    plans: PLANS,
  };
  const { status, body = '' } = docsHandler('/docs/providers', settings) ?? {};
  expect(status).toBe(200);
  for (const { name, name_servers } of PROVIDERS) {
    expect(body).toContain(`<td>${name}</td>`);
    for (const zone of name_servers) expect(body).toContain(`<code>${zone}</code>`);
  }
});
