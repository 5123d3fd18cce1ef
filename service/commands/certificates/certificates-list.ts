import { timestamp } from '../../../shared/core/instant.ts';
import { listCertificates } from '../../../shared/operations/operator/certificates.ts';
import type { ServiceCommand } from '../../command.ts';
import { limitFlag, readLimit } from '../../operator/limit-flag.ts';
import { asOperator } from '../../operator/operator.ts';

export const certificatesList: ServiceCommand = {
  description:
    'Lists the certificates that are served, the first to end first: --within-days only those that end by then.',
  examples: ['service certificates list', 'service certificates list --within-days 10 --json'],
  flags: {
    'within-days': {
      summary: 'Only those that end within so many days',
      kind: 'whole_number',
      min: 0,
      max: 1000,
    },
    limit: limitFlag,
  },
  async run(call) {
    const days = call.flags['within-days'];
    const query = { limit: readLimit(call), ...(days === undefined ? {} : { within_days: Number(days) }) };
    const found = await asOperator(call, ({ context }) => listCertificates(context, query));
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
        none: 'There are no such certificates.',
      },
    };
  },
};
