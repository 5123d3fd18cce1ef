import type { Provider } from '../provider.ts';

export const spaceship: Provider = {
  id: 'spaceship',
  name: 'Spaceship',
  name_servers: ['spaceship.net', 'spaceship.com'],
  panel_url: 'https://www.spaceship.com/',
  fields: { type: 'Type', name: 'Host', value: 'Value' },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'Spaceship', menu: ['Advanced DNS'] },
    { say: 'choose' },
    { say: 'clickUnder', button: 'Add record', menu: ['Custom records'] },
  ],
  cautions: [{ say: 'deleteRedirect' }],
};
