import { timestamp } from '../../shared/core/instant.ts';
import { hold, listHolds, release } from '../../shared/operations/domains/hold-hostname.ts';
import type { ServiceCommand } from '../command.ts';
import { documentFields, documentRows } from './operator/document-view.ts';
import { asOperator } from './operator/operator.ts';

export const holdsCreate: ServiceCommand = {
  description:
    'Holds a hostname for review: an exact name, or *.name for all names below it. Existing domains with such a hostname become held and stop serving; new ones are refused. Repeating a hold has no further effect.',
  examples: [
    'service holds create login.acme.com --reason "reported as phishing"',
    "service holds create '*.acme.com'",
  ],
  args: [{ name: 'hostname', description: 'The name, or *.name' }],
  flags: { reason: { summary: 'The reason, shown only to operators', kind: 'text' } },
  async run(call) {
    const { reason } = call.flags;
    const { hostname, ...held } = await asOperator(call, ({ context, actor }) =>
      hold(context, actor, call.args['hostname'] ?? '', reason === undefined ? null : String(reason)),
    );
    const document = { hostname, reason: held.reason, created_at: timestamp(held.created_at) };
    return { document, view: { fields: documentFields(document, COLUMNS) } };
  },
};

export const holdsList: ServiceCommand = {
  description: 'Lists all holds, sorted by hostname.',
  examples: ['service holds list', 'service holds list --json'],
  async run(call) {
    const holds = await asOperator(call, ({ context }) => listHolds(context));
    const data = holds.map((hold) => ({ ...hold, created_at: timestamp(hold.created_at) }));
    return {
      document: { data },
      view: {
        columns: ['hostname', 'reason', 'created at'],
        rows: documentRows(data, COLUMNS),
        none: 'There are no holds.',
      },
    };
  },
};

export const holdsRelease: ServiceCommand = {
  description:
    'Ends a hold. Write the name exactly as in the hold. Its domains return to their previous status, unless another hold covers them.',
  examples: ['service holds release login.acme.com', "service holds release '*.acme.com'"],
  args: [{ name: 'hostname', description: 'The name, or *.name' }],
  async run(call) {
    const hostname = call.args['hostname'] ?? '';
    await asOperator(call, ({ context, actor }) => release(context, actor, hostname));
    const document = { hostname, released: true };
    return { document, view: { fields: documentFields(document, ['hostname', 'released']) } };
  },
};

const COLUMNS = ['hostname', 'reason', 'created_at'] as const;
