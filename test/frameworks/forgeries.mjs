// Sends right and forged requests to the receiver on port 3000, and prints the status of each response as a line of JSON.
import { createHmac } from 'node:crypto';
import { request } from 'node:http';

const secret = process.env.SECRET;
const body = JSON.stringify({
  id: 'evt_1',
  type: 'domain.active',
  data: { domain: { hostname: 'careers.acme.com' } },
});
const now = Math.floor(Date.now() / 1000);
const hmac = (content, key = secret) => createHmac('sha256', key).update(content).digest('hex');
const header = (at, ...keys) =>
  [`t=${at}`, ...keys.map((key) => `v1=${hmac(`${at}.${body}`, key)}`)].join(',');
const other = 'whsec_of_another_app';
const other64 = `v1=${'0'.repeat(64)}`;

/** Each webhook: whether it must be accepted, its signature header and its body. */
const webhooks = {
  'a right one': [true, header(now, secret)],
  'one of a rotation, ours first': [true, header(now, secret, other)],
  'one of a rotation, ours last': [true, header(now, other, secret)],
  'one that is 290 seconds old': [true, header(now - 290, secret)],
  'one that is 310 seconds old': [false, header(now - 310, secret)],
  'one that is 310 seconds early': [false, header(now + 310, secret)],
  'one of another app': [false, header(now, other)],
  'one without a signature': [false, undefined],
  'one with an empty signature': [false, `t=${now},v1=`],
  'one with a made-up signature': [false, `t=${now},${other64}`],
  'one without a time': [false, `v1=${hmac(`.${body}`)}`],
  'one with two times': [false, `t=${now - 999},${header(now, secret)}`],
  'one with a time that is no number': [false, `t=${now}x,v1=${hmac(`${now}x.${body}`)}`],
  'one with the signature of another time': [
    false,
    header(now - 10, secret).replace(`${now - 10}`, `${now}`),
  ],
  'one whose body was serialised again': [
    false,
    header(now, secret),
    JSON.stringify(JSON.parse(body), null, 1),
  ],
  'one whose body was extended': [false, header(now, secret), `${body} `],
};

const target = '/jobs%20open/?page=2&q=a+b';
const signed = (changes = {}) => {
  const of = {
    at: now,
    method: 'GET',
    host: 'careers.acme.com',
    target,
    domain: 'dom_1',
    key: secret,
    ...changes,
  };
  return {
    'x-service-timestamp': of.at,
    'x-service-domain-id': of.domain,
    'x-service-signature': `v1=${hmac([of.at, of.method, of.host, of.target, of.domain].join('.'), of.key)}`,
  };
};

/** Each visitor of careers.acme.com: whether the request must be accepted, and its headers. */
const visitors = {
  'a visitor through the edge': [true, signed()],
  'a visitor without a signature': [false, {}],
  'a visitor with a signature of another path': [false, signed({ target: '/jobs%20open/' })],
  'a visitor with a signature of the decoded path': [false, signed({ target: '/jobs open/?page=2&q=a+b' })],
  'a visitor with a signature of another hostname': [false, signed({ host: 'jobs.globex.com' })],
  'a visitor with a signature of another method': [false, signed({ method: 'POST' })],
  'a visitor with a signature of another app': [false, signed({ key: other })],
  'a visitor with an old signature': [false, signed({ at: now - 310 })],
  'a visitor who claims another domain': [false, { ...signed(), 'x-service-domain-id': 'dom_2' }],
};

for (const [name, [isRight, signature, sent = body]] of Object.entries(webhooks)) {
  const headers = {
    'content-type': 'application/json',
    ...(signature && { 'service-signature': signature }),
  };
  print(name, isRight, await send('POST', '/webhooks', headers, sent));
}
for (const [name, [isRight, headers]] of Object.entries(visitors)) {
  print(name, isRight, await send('GET', target, { host: 'careers.acme.com', ...headers }));
}

function print(name, isRight, status) {
  console.log(JSON.stringify({ name, isRight, status }));
}

function send(method, path, headers, content) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: 3000, method, path, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject).end(content);
  });
}
