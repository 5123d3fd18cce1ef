import type { Provider } from '../provider.ts';

export const googleCloudDns: Provider = {
  id: 'google-cloud-dns',
  name: 'Google Cloud DNS',
  name_servers: ['googledomains.com'],
  panel_url: 'https://console.cloud.google.com/net-services/dns/zones',
  fields: {
    type: 'Resource record type',
    name: 'DNS name',
    value: 'Data',
    valueByType: { A: 'IPv4 Address', AAAA: 'IPv6 Address', CNAME: 'Canonical name', TXT: 'TXT data' },
  },
  apex_name: '',
  apex: 'addresses',
  steps: [
    'Sign in to the Google Cloud console and open Network services, then Cloud DNS.',
    'Choose the zone of {domain}.',
    'Click Add standard.',
  ],
  caution:
    'If you bought the domain at Google Domains, it is now managed at Squarespace: sign in at account.squarespace.com/domains instead, choose {domain}, then DNS. Cloud DNS keeps all values of the same name and type in one record set.',
};
