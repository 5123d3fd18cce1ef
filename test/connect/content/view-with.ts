import { type View, viewOf } from '../../../shared/connect/view.ts';
import { languageOf } from '../../../shared/core/connect-texts/catalog.ts';
import { namedProvider } from '../../../shared/core/providers/providers.ts';
import type { ConnectPage } from '../../../shared/operations/connect/get-connect-page.ts';

const dns = { cname: { name: 'careers', value: 'k3v9.edge.example.net' }, apex: null };
/** The data of a connect page for a new domain with DNS at Cloudflare. */
export const PAGE: ConnectPage = {
  hostname: 'careers.acme.com',
  registrable: 'acme.com',
  unicode_hostname: null,
  look_alike_hostname: null,
  app_name: 'Acme Careers',
  brand: { brand_color: null, brand_logo: null, support_url: null, return_url: null },
  status: 'pending_dns',
  mode: 'live',
  is_apex: false,
  dns: { ...dns, acme_challenge: null, www_acme_challenge: null },
  ready_to_switch: false,
  connect_url: 'https://connect.example/connect/token',
  last_checked_at: null,
  next_check_at: null,
  now: '2026-01-01T00:00:00.000Z',
  window_ends_at: '2026-01-04T00:00:00.000Z',
  has_certificate: false,
  findings: [],
  progress: null,
  provider: namedProvider('at-cloudflare.example.com'),
  one_click_url: null,
  has_new_proof: false,
  checkable: true,
  offers_mail: true,
};

/** Returns the view of `PAGE` with some data changed. */
export function viewWith(change: Partial<ConnectPage> = {}, provider: string | null = null): View {
  return viewOf({ ...PAGE, ...change }, languageOf('en'), {
    path: '/connect/token',
    choice: { lang: null, provider },
  });
}
