import { expect, test } from 'vitest';
import { serviceZones } from '../../../shared/core/net/service-zones.ts';

test.each<[string, string[], string[], string[]]>([
  [
    'the hosts of URLs',
    ['https://api.example.net/base', 'http://help.example.org:8080/docs'],
    [],
    ['api.example.net', 'help.example.org'],
  ],
  [
    'in lowercase ASCII, without a dot at the end',
    ['https://API.bücher.example.'],
    ['Edge.Example.NET.'],
    ['api.xn--bcher-kva.example', 'edge.example.net'],
  ],
  [
    'each once',
    ['https://api.example.net', 'https://api.example.net/docs'],
    ['api.example.net'],
    ['api.example.net'],
  ],
  [
    'none within another',
    ['https://api.example.net'],
    ['example.net', 'edge.example.net', 'notexample.net'],
    ['example.net', 'notexample.net'],
  ],
  ['public addresses', ['https://[2606:4700::1]', 'https://8.8.4.4'], [], ['2606:4700::1', '8.8.4.4']],
  [
    'no loopback, private or unspecified host',
    ['http://127.0.0.1:4400', 'http://[::1]:80'],
    ['localhost', 'a.localhost', '0.0.0.0', '::', '10.0.0.1'],
    [],
  ],
])("the service's own zones include %s", (_, urls, hosts, zones) => {
  expect(serviceZones(urls, hosts)).toEqual(zones);
});
