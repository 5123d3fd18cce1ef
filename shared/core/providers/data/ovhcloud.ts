import type { Provider } from '../provider.ts';

export const ovhcloud: Provider = {
  id: 'ovhcloud',
  name: 'OVHcloud',
  name_servers: ['ovh.net', 'ovh.ca', 'anycast.me'],
  panel_url: 'https://www.ovh.com/manager/#/web/domain',
  fields: { type: 'Record type', name: 'Sub-domain', value: 'Target', valueByType: { TXT: 'Value' } },
  apex_name: '',
  apex: 'addresses',
  steps: [
    'Sign in to OVHcloud and open Web Cloud, then Domain names.',
    'Choose {domain}, then DNS zone.',
    'Click Add an entry and choose the type.',
  ],
  caution: 'End the target of a CNAME with a dot. Otherwise OVHcloud adds {domain} to it.',
};
