import { timestamp } from '../../../shared/core/instant.ts';
import { listStoredCertificates } from '../../../shared/operations/operator/certificates.ts';
import type { ServiceCommand } from '../../command.ts';
import { limitFlag, readLimit } from '../../operator/limit-flag.ts';
import { asOperator } from '../../operator/operator.ts';

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
