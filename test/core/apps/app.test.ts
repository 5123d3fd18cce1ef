import { expect, test } from 'vitest';
import { type App, cnameTarget, customerTarget, sealedSecrets } from '../../../shared/core/apps/app.ts';
import { makeId } from '../../../shared/core/ids.ts';
import { T0 } from '../domains/sample-domain.ts';

function app(fields: Partial<App> = {}): App {
  return {
    id: makeId('app', T0, new Uint8Array(10)),
    account_id: makeId('acc', T0, new Uint8Array(10)),
    name: 'Acme',
    origin_url: null,
    origin_reachable: false,
    origin_latency_ms: null,
    origin_checked_at: null,
    origin_status_reason: null,
    origin_failures: 0,
    webhook_url: null,
    webhook_epoch: 0,
    whitelabel_host: null,
    whitelabel_verified: false,
    whitelabel_found: null,
    whitelabel_set_at: null,
    whitelabel_checked_at: null,
    whitelabel_grace_ends_at: null,
    target_label: '0123456789abcdef',
    brand_color: null,
    brand_logo: null,
    support_url: null,
    return_url: null,
    apex_redirect_default: 'none',
    allow_proxied: true,
    signing_secret: 'new',
    previous_signing_secret: null,
    previous_valid_until: null,
    created_at: T0,
    ...fields,
  };
}

test("an app's own target is its label in the edge zone", () => {
  expect(cnameTarget(app(), 'edge.example.net')).toBe('0123456789abcdef.edge.example.net');
});

test('customers point to the white-label host, and the host itself to the own target', () => {
  const ownTarget = '0123456789abcdef.edge.example.net';
  const host = 'customers.acme.com';
  expect(customerTarget({ ownTarget, host: null }, 'careers.acme.com')).toBe(ownTarget);
  expect(customerTarget({ ownTarget, host }, 'careers.acme.com')).toBe(host);
  expect(customerTarget({ ownTarget, host }, host)).toBe(ownTarget);
});

test('during a rotation, both secrets sign, and the previous one is the one that origins accept', () => {
  const rotated = app({ previous_signing_secret: 'old', previous_valid_until: T0 });
  expect(sealedSecrets(rotated, T0 - 1)).toEqual({ accepted: 'old', all: ['new', 'old'] });
  expect(sealedSecrets(rotated, T0)).toEqual({ accepted: 'new', all: ['new'] });
  expect(sealedSecrets(app(), T0)).toEqual({ accepted: 'new', all: ['new'] });
});
