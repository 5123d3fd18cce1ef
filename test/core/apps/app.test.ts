import { expect, test } from 'vitest';
import { type App, cnameTarget, customerTarget, sealedSecrets } from '../../../shared/core/apps/app.ts';
import { T0 } from '../domains/sample-domain.ts';
import { sampleApp } from './sample-app.ts';

const app = (fields: Partial<App> = {}) => sampleApp({ signing_secret: 'new', ...fields });

test('the CNAME target of an app is its label in the edge zone', () => {
  expect(cnameTarget(app(), 'edge.example.net')).toBe('0123456789abcdef.edge.example.net');
});

test("customers point their CNAME to the app's white-label host, which itself points to the app's CNAME target", () => {
  const ownTarget = '0123456789abcdef.edge.example.net';
  const host = 'customers.acme.com';
  expect(customerTarget({ ownTarget, host: null }, 'careers.acme.com')).toBe(ownTarget);
  expect(customerTarget({ ownTarget, host }, 'careers.acme.com')).toBe(host);
  expect(customerTarget({ ownTarget, host }, host)).toBe(ownTarget);
});

test('during a rotation of the signing secret, both secrets sign webhooks, and origins accept the previous secret', () => {
  const rotated = app({ previous_signing_secret: 'old', previous_valid_until: T0 });
  expect(sealedSecrets(rotated, T0 - 1)).toEqual({ accepted: 'old', all: ['new', 'old'] });
  expect(sealedSecrets(rotated, T0)).toEqual({ accepted: 'new', all: ['new'] });
  expect(sealedSecrets(app(), T0)).toEqual({ accepted: 'new', all: ['new'] });
});
