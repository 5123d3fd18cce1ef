import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { blocksOf, namesOf } from '../../../shared/connect/content/content-of.ts';
import { FoldsPanel } from '../../../shared/connect/panels/folds-panel.tsx';
import { RecordsPanel } from '../../../shared/connect/panels/records-panel.tsx';
import type { View } from '../../../shared/connect/view.ts';
import { makeFinding } from '../../../shared/core/dns/dns-finding.ts';
import type { ConnectPage } from '../../../shared/operations/connect/get-connect-page.ts';
import { PAGE, viewWith } from '../content/view-with.ts';

function panel(view: View): string {
  const { records } = blocksOf(view);
  return renderToStaticMarkup(records && <RecordsPanel block={records} names={namesOf(view.page)} />);
}

function rendered(change: Partial<ConnectPage>): string {
  return panel(viewWith(change));
}

test("the records panel names fields as in the provider's form, and adds a copy button to each value", () => {
  const markup = rendered({});
  expect([...markup.matchAll(/<dt part="label">([^<]*)</g)].map(([, label]) => label)).toEqual([
    'Type',
    'Name',
    'Target',
  ]);
  expect([...markup.matchAll(/data-copy="([^"]*)"/g)].map(([, text]) => text)).toEqual([
    'careers',
    'k3v9.edge.example.net',
  ]);
});

test('the records panel offers an automatic connection first, and the manual steps after it', () => {
  const url = 'https://dns.example/apply?domain=acme.com&host=careers';
  const markup = rendered({ one_click_url: url });
  expect(markup).toContain('Connect automatically with Cloudflare');
  expect(markup).toContain(`href="${url.replaceAll('&', '&amp;')}"`);
  expect(markup.indexOf('Connect automatically with Cloudflare')).toBeLessThan(
    markup.indexOf('Sign in to Cloudflare and choose'),
  );
  expect(rendered({})).not.toContain('Connect automatically with Cloudflare');
});

test.each(['active', 'issuing', 'deleted'] as const)(
  'the records panel folds the record of a domain in %s',
  (status) => {
    const view = viewWith({ status });
    expect(rendered({ status })).toBe('');
    const list = blocksOf(view).folds?.list ?? [];
    const markup = renderToStaticMarkup(<FoldsPanel list={list} names={[]} pick={() => <br />} />);
    expect(markup).toMatch(/<details id="fold-records"><summary[^>]*>.*<dl class="record"/);
  },
);

test.each(['dns_broken', 'pending_dns'] as const)(
  "if the app's white-label host is broken, the connect page in %s tells the customer not to change the record",
  (status) => {
    const record = { type: 'CNAME', name: 'sites.agency.com' } as const;
    const findings = [makeFinding('whitelabel_unverified', record, { expected: 'k3v9.edge.example.net' })];
    const view = viewWith({ status, findings });
    expect(view.words.text).toContain('Your DNS record is correct, so leave it as it is.');
    expect(view.words.headline).toBe('Acme Careers needs to fix something');
    expect(view.findings).toMatchObject([{ expected: null, found: null, passes: true }]);
    expect(panel(view)).not.toContain('k3v9.edge.example.net');
  },
);

test('the records panel shows the record of www last for an apex that redirects www', () => {
  const apex = { a: ['192.0.2.1'], aaaa: [], txt: { name: '_service', value: 'q3T8' } };
  const www = { name: 'www', value: 'k3v9.edge.example.net' };
  const records = { cname: null, apex: { ...apex, www }, acme_challenge: null, www_acme_challenge: null };
  const markup = rendered({ hostname: 'acme.com', is_apex: true, provider: null, dns: records });
  expect(markup).toContain('Record 3 of 3');
  expect([...markup.matchAll(/data-copy="([^"]*)"/g)].map(([, text]) => text).slice(-2)).toEqual([
    'www',
    'k3v9.edge.example.net',
  ]);
});

test('the records panel explains the new TXT value of an apex until the domain is live', () => {
  const apex = { a: ['192.0.2.1'], aaaa: [], txt: { name: '_service', value: 'new' } };
  const shown = { is_apex: true, dns: { ...PAGE.dns, cname: null, apex }, has_new_proof: true };
  const news = /went live with another service in the meantime/;
  expect(rendered(shown)).toMatch(news);
  expect(rendered({ ...shown, status: 'active' })).not.toMatch(news);
  expect(rendered({ ...shown, has_new_proof: false })).not.toMatch(news);
  expect(rendered({ has_new_proof: true })).not.toMatch(news);
});
