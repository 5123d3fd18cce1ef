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
    'Sign in to Spaceship and open Advanced DNS.',
    'Choose {domain}.',
    'Click Add record under Custom records.',
  ],
  caution: 'If parking or a URL redirect is on for the name, turn it off first.',
};
