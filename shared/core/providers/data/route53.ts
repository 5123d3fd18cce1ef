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
    { say: 'signInOpen', at: 'AWS', menu: ['Route 53', 'Hosted zones'] },
    { say: 'chooseClick', button: 'Create record' },
    { say: 'simpleRouting', value: 'Simple', option: 'Alias' },
  ],
  cautions: [{ say: 'oneRecordSet' }, { say: 'onePerLine' }, { say: 'quotedTxt' }, { say: 'twoZones' }],
};
