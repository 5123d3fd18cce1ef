import type { Status } from '../../shared/core/domains/status.ts';
import type { TriggerName } from '../../shared/core/domains/transitions.ts';
import { holdHostname } from '../../shared/operations/domains/hold-hostname.ts';
import { type ConnectUnderTest, finding } from './connect-under-test.ts';

/** A state of the connect page: how a domain reaches the state, and which texts the page then shows. */
export interface State {
  name: string;
  status: Status;
  hostname: string;
  mode?: 'test';
  /** The text of the headline. */
  headline: string;
  /** Texts that the page must contain (`says`), and texts that it must not contain. */
  says: string[];
  never?: string[];
  /** True if the page asks for a record, which must then be visible without scrolling. */
  asksForRecord?: true;
  lead(underTest: ConnectUnderTest, id: string): Promise<void>;
}

const TO_ISSUING: TriggerName[] = ['dns_seen', 'dns_confirmed'];
const TO_ACTIVE: TriggerName[] = [...TO_ISSUING, 'certificate_issued'];
const GODADDY = ['ns01.domaincontrol.com', 'ns02.domaincontrol.com'];
const CLOUDFLARE = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'];
const nothing = async () => undefined;

export const STATES: readonly State[] = [
  {
    name: 'pending at a provider',
    asksForRecord: true,
    status: 'pending_dns',
    hostname: 'careers.acme.com',
    headline: 'Waiting for your DNS record',
    says: [
      'Add this record at GoDaddy',
      'Fill in the form with the CNAME record above',
      'Check now',
      'Email me when it is live',
      'Not checked yet',
      'Does careers.acme.com have visitors today?',
      '_acme-challenge.careers',
    ],
    never: ['pending_dns', 'What to fix'],
    lead: (t, id) => t.see(id, { name_servers: GODADDY, findings: [finding('dns_record_missing')] }),
  },
  {
    name: 'pending with its certificate in place',
    status: 'pending_dns',
    hostname: 'jobs.acme.com',
    headline: 'You can switch now',
    says: ['Your visitors will not notice the change', 'Add this record at'],
    never: ['have visitors today?', '_acme-challenge'],
    lead: (t, id) => t.lead(id, ['challenge_delegated']),
  },
  {
    name: 'pending at an apex',
    asksForRecord: true,
    status: 'pending_dns',
    hostname: 'acme-widgets.com',
    headline: 'Waiting for your DNS records',
    says: ['Add these 3 records at your DNS provider', '_service', '127.0.0.1', 'Record 3 of 3'],
    lead: nothing,
  },
  {
    name: 'pending at an apex whose TXT record has the domain twice in its name',
    status: 'pending_dns',
    hostname: 'acme-doubled.com',
    headline: 'Waiting for your DNS records',
    says: ['What we see', 'The TXT record is missing', 'now at _service.acme-doubled.com.acme-doubled.com'],
    lead: (t, id) =>
      t.see(id, {
        progress: 'untouched',
        findings: [
          finding('dns_txt_missing', {
            type: 'TXT',
            name: '_service',
            found: '_service.acme-doubled.com.acme-doubled.com',
          }),
        ],
      }),
  },
  {
    name: 'pending while a resolver blocks the name',
    status: 'verifying',
    hostname: 'blocked.acme.com',
    headline: 'We found your record',
    says: ['A DNS service blocks your domain', 'Ask the operator of 9.9.9.9 (Quad9) to unblock your domain'],
    never: ['Nameplate', 'SOA'],
    async lead(t, id) {
      await t.lead(id, ['dns_seen']);
      await t.see(id, { findings: [finding('dns_resolver_blocks', { found: '9.9.9.9 (Quad9)' })] });
    },
  },
  {
    name: 'pending at an apex that has a website elsewhere',
    status: 'pending_dns',
    hostname: 'acme-gadgets.com',
    headline: 'Waiting for your DNS records',
    says: ['What we see', 'The record points elsewhere', '203.0.113.7', 'Add these 3 records'],
    never: ['What to fix', 'One thing to fix'],
    lead: (t, id) =>
      t.see(id, {
        progress: 'untouched',
        findings: [
          finding('dns_record_mismatch', {
            type: 'A',
            name: '@',
            expected: '127.0.0.1',
            found: '203.0.113.7',
          }),
          finding('dns_txt_missing'),
        ],
      }),
  },
  {
    name: 'pending with a fault',
    asksForRecord: true,
    status: 'pending_dns',
    hostname: 'shop.acme.com',
    headline: 'One thing to fix',
    says: [
      'The record points elsewhere',
      'Change this record',
      'Fix this at Cloudflare',
      'Replace',
      'shops.example.net',
      'What it should be',
      'What to do',
    ],
    lead: (t, id) =>
      t.see(id, {
        name_servers: CLOUDFLARE,
        findings: [
          {
            ...finding('dns_record_mismatch', {
              type: 'CNAME',
              name: 'shop',
              expected: 'k3v9q2.edge.nameplate.test',
              found: 'shops.example.net',
            }),
            changes: [
              {
                action: 'replace',
                type: 'CNAME',
                zone: 'acme.com',
                name: 'shop',
                value: 'k3v9q2.edge.nameplate.test',
                ttl: 300,
                of: { type: 'CNAME', value: 'shops.example.net' },
              },
            ],
          },
          finding('dns_ns_mismatch', { expected: 'ada.ns.cloudflare.com', found: 'ns1.old.example' }),
        ],
      }),
  },
  {
    name: 'pending behind a proxy that passes visitors on',
    status: 'pending_dns',
    hostname: 'proxied.acme.com',
    headline: 'Waiting for your DNS record',
    says: [
      'Your domain goes through a proxy',
      'Add this record',
      '_service.proxied',
      'Sign in to Cloudflare',
    ],
    never: ['orange cloud'],
    lead: (t, id) => {
      const place = { type: 'TXT', zone: 'acme.com', name: '_service.proxied', ttl: 300 } as const;
      const missing = finding('dns_txt_missing', { type: 'TXT', name: place.name, expected: 'q3T8' });
      const change = { action: 'add', ...place, value: 'q3T8', of: null } as const;
      return t.see(id, {
        name_servers: CLOUDFLARE,
        findings: [{ ...missing, changes: [change] }, finding('proxy_leads_here')],
      });
    },
  },
  {
    name: 'verifying',
    status: 'verifying',
    hostname: 'verify.acme.com',
    headline: 'We found your record',
    says: ['What we see', 'The change is spreading'],
    never: ['What to fix', 'verifying', 'have visitors today?', '_acme-challenge'],
    async lead(t, id) {
      await t.lead(id, ['dns_seen']);
      await t.see(id, { findings: [finding('dns_propagating', { wait: 'at most 5 minutes' })] });
    },
  },
  {
    name: 'issuing',
    status: 'issuing',
    hostname: 'issue.acme.com',
    headline: 'Your record is correct',
    says: ['security certificate'],
    never: ['Check now', 'Check again', 'issuing'],
    lead: (t, id) => t.lead(id, TO_ISSUING),
  },
  {
    name: 'active',
    status: 'active',
    hostname: 'live.acme.com',
    headline: 'Your domain is live',
    says: ['Leave the DNS record in place', 'https://live.acme.com/'],
    never: ['Enter exactly this', 'Email me', 'Check now', 'Check again'],
    lead: (t, id) => t.lead(id, TO_ACTIVE),
  },
  {
    name: 'dns broken',
    asksForRecord: true,
    status: 'dns_broken',
    hostname: 'broken.acme.com',
    headline: 'The connection is interrupted',
    says: ['Set this record at your DNS provider', 'The record is missing'],
    never: ['dns_broken', 'What to fix'],
    async lead(t, id) {
      await t.lead(id, [...TO_ACTIVE, 'dns_gone'], 'dns_record_missing');
      await t.see(id, { findings: [finding('dns_record_missing')] });
    },
  },
  {
    name: 'dns broken with a change',
    asksForRecord: true,
    status: 'dns_broken',
    hostname: 'removed.acme.com',
    headline: 'The connection is interrupted',
    says: ['The record is missing', 'Fix this at', 'Add this record', 'The whole record'],
    never: ['dns_broken', 'Set this record at'],
    lead: (t, id) => t.lead(id, [...TO_ACTIVE, 'dns_gone'], 'dns_record_missing'),
  },
  {
    name: 'certificate failed',
    status: 'cert_failed',
    hostname: 'refused.acme.com',
    headline: 'We could not get a security certificate yet',
    says: ['Our certificate is not allowed yet', 'Try again now'],
    never: ['cert_failed', 'caa_forbids'],
    lead: (t, id) => t.lead(id, [...TO_ISSUING, 'issuance_failed'], 'caa_forbids'),
  },
  {
    name: 'expired',
    status: 'expired',
    hostname: 'late.acme.com',
    headline: 'Setup timed out',
    says: ['Ask Acme Careers to restart the setup'],
    never: ['Check now', 'Check again', 'Email me', 'expired'],
    lead: (t, id) => t.lead(id, ['window_passed'], 'window_expired'),
  },
  {
    name: 'held',
    status: 'held',
    hostname: 'held.example.org',
    headline: 'This domain is under review',
    says: ["You don't need to do anything"],
    never: ['Check now', 'Check again', 'Email me', 'CNAME'],
    async lead({ composition }) {
      await holdHostname(composition.context, 'held.example.org', 'a reason of ours');
    },
  },
  {
    name: 'deleted',
    status: 'deleted',
    hostname: 'gone.acme.com',
    headline: 'This domain is no longer connected',
    says: ['can now delete'],
    never: ['Enter exactly this', 'Check now', 'Check again', 'Email me'],
    lead: (t, id) => t.lead(id, ['delete']),
  },
  {
    name: 'a test with a long name',
    status: 'pending_dns',
    mode: 'test',
    hostname: `xn--bcher-kva.a-very-long-label-of-somebodys-department.${'x'.repeat(60)}.acme.co.uk`,
    headline: 'Waiting for your DNS record',
    says: ['This is a test domain.', 'need to add a DNS record', 'bücher'],
    lead: nothing,
  },
  {
    name: 'a test that is live',
    status: 'active',
    mode: 'test',
    hostname: 'tested.acme.com',
    headline: 'Your test domain is live',
    says: ['This is a test domain.', 'With a real domain, visitors to tested.acme.com'],
    never: ['now reach', 'Open tested.acme.com'],
    lead: (t, id) => t.lead(id, TO_ACTIVE),
  },
];
