import type { Provider } from '../provider.ts';

export const wix: Provider = {
  id: 'wix',
  name: 'Wix',
  name_servers: ['wixdns.net'],
  panel_url: 'https://manage.wix.com/account/domains',
  fields: { type: 'Section', name: 'Host Name', value: 'Value' },
  apex_name: '',
  apex: 'addresses',
  steps: [
    'Sign in to Wix and open Domains.',
    'Open the menu beside {domain} and choose Manage DNS Records.',
    'Click Add Record in the section of the record type.',
  ],
  caution:
    'While {domain} is connected to a Wix site, the site uses {domain} and www. If you connect one of these, disconnect the site first. If Wix has no section for AAAA, leave that record out.',
};
