import { showCertificates } from '../../../shared/operations/operator/certificates.ts';
import { localUrlOf } from '../../address-url.ts';
import type { ServiceCommand } from '../../command.ts';
import { readConfig } from '../../config.ts';
import { askNode } from '../../health/ask-node.ts';
import { certificateDocument, certificateFields } from '../../operator/certificate-view.ts';
import { asOperator } from '../../operator/operator.ts';
import { agreedSettings } from '../../settings/agreed-settings.ts';

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
