import type { Provider } from '../provider.ts';

export const route53: Provider = {
  id: 'route53',
  name: 'Amazon Route 53',
  name_servers: ['awsdns-N.com', 'awsdns-N.net', 'awsdns-N.org', 'awsdns-N.co.uk'],
  panel_url: 'https://console.aws.amazon.com/route53/v2/hostedzones',
  fields: { type: 'Record type', name: 'Record name', value: 'Value' },
  apex_name: '',
  apex: 'addresses',
  steps: [
    'Sign in to the AWS console and open Route 53, then Hosted zones.',
    'Choose {domain} and click Create record.',
    'Leave the routing policy at Simple, and Alias switched off.',
  ],
  caution:
    'Route 53 keeps all values of the same name and type in one record: enter them in the same box, one per line. Put the value of a TXT record in double quotes. If there are two hosted zones for {domain}, use the one whose name servers are set at the registrar.',
};
