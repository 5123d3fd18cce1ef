import { timestamp } from '../../../shared/core/instant.ts';
import { listHolds } from '../../../shared/operations/operator/holds.ts';
import type { ServiceCommand } from '../../command.ts';
import { asOperator } from '../../operator/operator.ts';

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
        rows: data.map(({ hostname, reason, created_at }) => [hostname, reason, created_at]),
        none: 'There are no holds.',
      },
    };
  },
};
