import { createSignInLink } from '../../../shared/operations/members/sign-in.ts';
import type { ServiceCommand } from '../../command.ts';
import { asOperator } from '../../operator/operator.ts';

export const signIn: ServiceCommand = {
  description:
    'Prints a link that signs a member in to the dashboard, for a service without a mail server. It works in any browser, once, within 15 minutes. The audit log records it.',
  examples: ['service sign-in ada@example.com'],
  args: [{ name: 'mail', description: 'Address of a member' }],
  async run(call) {
    const mail = call.args['mail'] ?? '';
    const url = await asOperator(call, ({ context, actor }) => createSignInLink(context, actor, mail));
    return {
      document: { mail, url },
      view: {
        fields: [
          ['mail', mail],
          ['link', url],
        ],
      },
    };
  },
};
