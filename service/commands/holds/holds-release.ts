import { release } from '../../../shared/operations/operator/holds.ts';
import type { ServiceCommand } from '../../command.ts';
import { asOperator } from '../../operator/operator.ts';

export const holdsRelease: ServiceCommand = {
  description:
    'Ends a hold. Write the name exactly as in the hold. Its domains return to their previous status, unless another hold covers them.',
  examples: ['service holds release login.acme.com', "service holds release '*.acme.com'"],
  args: [{ name: 'hostname', description: 'The name, or *.name' }],
  async run(call) {
    const hostname = call.args['hostname'] ?? '';
    await asOperator(call, ({ context, actor }) => release(context, actor, hostname));
    return {
      document: { hostname, released: true },
      view: {
        fields: [
          ['hostname', hostname],
          ['released', 'yes'],
        ],
      },
    };
  },
};
