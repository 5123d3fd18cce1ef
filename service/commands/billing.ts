import { timestamp } from '../../shared/core/instant.ts';
import { getBilling } from '../../shared/operations/billing/get-billing.ts';
import { replayEvent, syncAccount, syncAllAccounts } from '../../shared/operations/operator/billing.ts';
import type { ServiceCommand } from '../command.ts';
import { accountArgument, readAccountId } from './operator/arguments.ts';
import { CommandError } from './operator/command-error.ts';
import { asOperator } from './operator/operator.ts';

export const billingSync: ServiceCommand = {
  description:
    'Reads the state of an account from the billing provider and applies it: the plan, the card and failed payments. With --all, it does so for every account. Run it after an outage of the provider or of its webhooks.',
  examples: ['service billing sync acc_01k…', 'service billing sync --all'],
  args: [{ ...accountArgument, optional: true }],
  flags: { all: { summary: 'Every account with a customer at the provider', kind: 'switch' } },
  async run(call) {
    const isAll = call.flags['all'] === true;
    if (isAll === (call.args[accountArgument.name] !== undefined)) {
      throw new CommandError(
        'usage',
        'Name one account, or add --all.',
        'Run the command with one of the two.',
      );
    }
    if (!isAll) {
      const billing = await asOperator(call, async ({ context, actor }) => {
        const id = await readAccountId(context, call);
        await syncAccount(context, actor, id);
        return getBilling(context, id);
      });
      const { account, card } = billing;
      return {
        document: {
          account_id: account.id,
          plan: account.plan,
          card,
          payment_failed_at: timestamp(billing.payment_failed_at),
          suspended: account.suspended,
        },
        view: {
          fields: [
            ['account', account.id],
            ['plan', account.plan],
            ['card', card === null ? 'none' : `${card.brand} ending in ${card.last4}`],
            ['payment failed at', timestamp(billing.payment_failed_at)],
            ['suspended', account.suspended ? 'yes' : 'no'],
          ],
        },
      };
    }
    const { synced, failed } = await asOperator(call, ({ context, actor }) =>
      syncAllAccounts(context, actor),
    );
    return {
      document: { synced, failed },
      view: {
        fields: [
          ['accounts', synced],
          ['failed', failed.length === 0 ? 0 : failed.map(({ account_id }) => account_id).join(', ')],
        ],
      },
      exit: failed.length === 0 ? 0 : 1,
    };
  },
};

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
