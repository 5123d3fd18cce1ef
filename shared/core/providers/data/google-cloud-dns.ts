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
    { say: 'signInOpen', at: 'Google Cloud', menu: ['Network services', 'Cloud DNS'] },
    { say: 'choose' },
    { say: 'click', button: 'Add standard' },
  ],
  cautions: [
    { say: 'movedTo', option: 'Google Domains', value: 'account.squarespace.com/domains' },
    { say: 'oneRecordSet' },
  ],
};
