import { REVOCATION_REASONS, type RevocationReason } from '../../shared/core/certificates/certificate.ts';
import { timestamp } from '../../shared/core/instant.ts';
import {
  listStoredCertificates,
  reissueCertificate,
  revokeCertificate,
  showCertificates,
} from '../../shared/operations/operator/certificates.ts';
import type { ServiceCommand } from '../command.ts';
import { readConfig } from '../config.ts';
import { askNode } from '../health/ask-node.ts';
import { localUrlOf } from '../listening.ts';
import { agreedSettings } from '../settings/agreed-settings.ts';
import { limitFlag, readLimit } from './operator/arguments.ts';
import { certificateDocument, certificateFields } from './operator/certificate-view.ts';
import { documentFields } from './operator/document-view.ts';
import { asOperator } from './operator/operator.ts';

export const certificatesList: ServiceCommand = {
  description:
    'Lists the certificates in use, soonest expiry first. With --within-days, lists only those that expire within that many days.',
  examples: ['service certificates list', 'service certificates list --within-days 10 --json'],
  flags: {
    'within-days': {
      summary: 'Only certificates that expire within this many days',
      kind: 'whole_number',
      min: 0,
      max: 1000,
    },
    limit: limitFlag,
  },
  async run(call) {
    const days = call.flags['within-days'];
    const query = { limit: readLimit(call), ...(days === undefined ? {} : { withinDays: Number(days) }) };
    const found = await asOperator(call, ({ context }) => listStoredCertificates(context, query));
    const data = found.map(({ domain_id, names, ca, issuer, serial, ...times }) => ({
      domain_id,
      names,
      ca,
      issuer,
      serial,
      not_before: timestamp(times.not_before),
      not_after: timestamp(times.not_after),
      renews_at: timestamp(times.renews_at),
    }));
    return {
      document: { data },
      view: {
        columns: ['names', 'domain', 'CA', 'issuer', 'not after', 'renews at'],
        rows: data.map((each) => [
          each.names.join(', '),
          each.domain_id,
          each.ca,
          each.issuer,
          each.not_after,
          each.renews_at,
        ]),
        none: 'No certificates match.',
      },
    };
  },
};

export const certificatesShow: ServiceCommand = {
  description:
    'Shows the status, the certificate and the current order of each live domain with a hostname, in all apps. The domain that receives the traffic comes first.',
  examples: [
    'service certificates show careers.acme.com',
    'service certificates show careers.acme.com --json',
  ],
  args: [{ name: 'hostname', description: 'The hostname or id of a domain' }],
  async run(call) {
    const states = await asOperator(call, ({ context }) =>
      showCertificates(context, call.args['hostname'] ?? ''),
    );
    const config = readConfig(call.env);
    const settings = (await askNode(localUrlOf(config.admin)))?.settings ?? agreedSettings(config);
    const hasAuthorities = settings['NAMEPLATE_CAS'] !== '';
    return {
      document: { data: states.map(certificateDocument) },
      view: { fields: states.flatMap((each) => certificateFields(each, hasAuthorities)) },
    };
  },
};

export const certificatesReissue: ServiceCommand = {
  description:
    'Replaces the certificate of a live domain now, with a new key, even if it is far from expiry. The edge serves the old certificate until it has confirmed the new one. A failure changes nothing.',
  examples: ['service certificates reissue careers.acme.com'],
  args: [{ name: 'hostname', description: 'The hostname or id of the domain' }],
  async run(call) {
    const hostname = call.args['hostname'] ?? '';
    const dueAt = timestamp(
      await asOperator(call, ({ context, actor }) => reissueCertificate(context, actor, hostname)),
    );
    const document = { hostname, due_at: dueAt };
    return { document, view: { fields: documentFields(document, ['hostname', 'due_at']) } };
  },
};

const REASONS = Object.keys(REVOCATION_REASONS) as RevocationReason[];

export const certificatesRevoke: ServiceCommand = {
  description:
    'Revokes the certificate of a domain at its certificate authority, for instance because its key was lost, and orders a new one with a new key. The edge serves the revoked certificate until it has the new one.',
  examples: ['service certificates revoke careers.acme.com --reason key_compromise'],
  args: [{ name: 'hostname', description: 'The hostname or id of the domain' }],
  flags: {
    reason: {
      summary: 'Reason that the authority publishes',
      kind: 'text',
      options: REASONS,
      default: 'unspecified',
    },
  },
  async run(call) {
    const name = call.args['hostname'] ?? '';
    const reason = (call.flags['reason'] ?? 'unspecified') as RevocationReason;
    const revoked = await asOperator(call, ({ context, actor }) =>
      revokeCertificate(context, actor, name, reason),
    );
    return {
      document: { ...revoked, reason },
      view: {
        fields: [
          ['hostname', revoked.hostname],
          ['serial', revoked.serial],
          ['CA', revoked.ca],
          ['reason', reason],
          ['new one ordered', revoked.reordered ? 'yes' : 'no, the record of the domain is not right'],
        ],
      },
    };
  },
};
