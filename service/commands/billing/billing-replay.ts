import { replayEvent } from '../../../shared/operations/operator/billing.ts';
import type { ServiceCommand } from '../../command.ts';
import { asOperator } from '../../operator/operator.ts';

export const billingReplay: ServiceCommand = {
  description:
    'Reads an event from the billing provider and takes it in again, as if its webhook arrived now. A worker then applies the current state of its account.',
  examples: ['service billing replay evt_1Nx4…'],
  args: [{ name: 'event', description: 'Id of the event at the provider, evt_…' }],
  async run(call) {
    const id = call.args['event'] ?? '';
    const { event, outcome, account_id } = await asOperator(call, ({ context, actor }) =>
      replayEvent(context, actor, id),
    );
    return {
      document: { event: event.id, type: event.type, outcome, account_id },
      view: {
        fields: [
          ['event', event.id],
          ['type', event.type],
          ['account', account_id ?? 'none of this service'],
          ['outcome', outcome],
        ],
      },
    };
  },
};
