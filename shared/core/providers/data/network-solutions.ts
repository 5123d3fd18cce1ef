import type { Provider } from '../provider.ts';

export const networkSolutions: Provider = {
  id: 'network-solutions',
  name: 'Network Solutions',
  name_servers: ['worldnic.com'],
  panel_url: 'https://www.networksolutions.com/my-account/',
  fields: { type: 'Type', name: 'Host name', value: 'Points to', valueByType: { TXT: 'TXT Value' } },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    { say: 'signInDomains', at: 'Network Solutions' },
    { say: 'chooseOpen', menu: ['Advanced Tools'] },
    { say: 'clickAdvanced', button: 'Manage' },
  ],
  cautions: [{ say: 'otherHost', value: 'Other Host' }],
};
