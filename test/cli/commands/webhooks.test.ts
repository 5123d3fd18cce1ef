import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../../shared/client/webhooks.ts';
import { signWebhook } from '../../../shared/core/webhooks/signature.ts';
import { emptyFolder, runCli } from '../run-cli.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const EVENT = {
  id: 'evt_01k00000000000000000000001',
  type: 'domain.active',
  created_at: '2026-11-20T12:00:00.000Z',
  data: { domain: { hostname: 'careers.acme.com', metadata: { name: 'Zoë' } }, previous_status: 'issuing' },
};
const BODY = JSON.stringify(EVENT);
const timestampS = Math.floor(Date.now() / 1000);
const signature = signWebhook({ secrets: [SECRET], timestampS, body: BODY });

async function verify(
  given: { body?: string | Buffer; signature?: string; secret?: string } = {},
  more: string[] = [],
) {
  const file = path.join(emptyFolder(), 'body.json');
  writeFileSync(file, given.body ?? BODY);
  const argv = [
    'webhooks',
    'verify',
    '--body',
    file,
    '--signature',
    given.signature ?? signature,
    '--json',
    ...more,
  ];
  const run = await runCli(argv, { env: { NAMEPLATE_WEBHOOK_SECRET: given.secret ?? SECRET } });
  const document = JSON.parse(run.stdout);
  const causes: { code: string }[] = document.error?.status_detail.causes ?? [];
  return { ...run, document, codes: causes.map(({ code }) => code) };
}

function hmac(key: string | Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest('hex');
}

test('webhooks verify reports a valid webhook with its event and age', async () => {
  const { exit, document } = await verify();
  expect(exit).toBe(0);
  expect(document).toMatchObject({ valid: true, event: { id: EVENT.id, type: EVENT.type } });
});

test.each<[string, Parameters<typeof verify>[0]]>([
  ['secret_whitespace_added', { secret: `${SECRET}\n` }],
  ['secret_quoted', { secret: `"${SECRET}"` }],
  ['secret_prefix_missing', { secret: SECRET.slice('whsec_'.length) }],
  [
    'secret_prefix_cut',
    { signature: `t=${timestampS},v1=${hmac(SECRET.slice('whsec_'.length), `${timestampS}.${BODY}`)}` },
  ],
  [
    'secret_decoded',
    {
      signature: `t=${timestampS},v1=${hmac(Buffer.from(SECRET.slice('whsec_'.length), 'base64'), `${timestampS}.${BODY}`)}`,
    },
  ],
  ['secret_is_an_api_key', { secret: 'sk_test_0123456789abcdefghijklmnopqrstuv' }],
  ['secret_incomplete', { secret: SECRET.slice(0, 20) }],
  ['other_secret_or_body', { secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }],
  ['other_secret_or_body', { body: BODY.replace('careers', 'jobs') }],
  ['body_line_break_added', { body: `${BODY}\n` }],
  ['body_whitespace_added', { body: ` ${BODY}` }],
  ['body_byte_order_mark_added', { body: `\ufeff${BODY}` }],
  ['body_reserialised', { body: JSON.stringify(EVENT, null, 2) }],
  ['body_reserialised', { body: BODY.replace('ë', '\\u00eb') }],
  ['body_reordered', { body: JSON.stringify({ created_at: 1, id: EVENT.id }) }],
  ['body_in_a_string', { body: JSON.stringify(BODY) }],
  ['body_in_a_document', { body: JSON.stringify({ id: 'x', body: BODY }) }],
  ['body_base64', { body: Buffer.from(BODY).toString('base64') }],
  ['body_read_as_latin1', { body: Buffer.from(BODY).toString('latin1') }],
  ['timestamp_not_signed', { signature: `t=${timestampS},v1=${hmac(SECRET, BODY)}` }],
  ['header_name_included', { signature: `X-Acme-Signature: ${signature}` }],
  ['header_quoted', { signature: `'${signature}'` }],
  ['header_whitespace_added', { signature: signature.replace(',', ', ') }],
  ['header_uppercase', { signature: signature.replace(/v1=.*/, (part) => part.toUpperCase()) }],
  ['standard_webhooks_header', { signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' }],
  ['origin_header', { signature: signature.slice(signature.indexOf('v1=')) }],
  ['bare_hex', { signature: signature.slice(signature.indexOf('v1=') + 3) }],
  ['timestamp_in_milliseconds', { signature: signature.replace(String(timestampS), `${timestampS}000`) }],
  ['header_unreadable', { signature: 'yes' }],
])('webhooks verify names the cause of an invalid signature: %s', async (code, given) => {
  const { exit, document, codes, stderr } = await verify(given);
  expect(codes).toEqual([code]);
  expect(exit).toBe(1);
  expect(document.error.code).toBe('signature_not_valid');
  for (const out of [JSON.stringify(document), stderr]) expect(out).not.toContain(SECRET.slice(6, 30));
});

test('webhooks verify explains two mistakes in one signature', async () => {
  expect((await verify({ secret: `${SECRET} `, body: `${BODY}\n` })).codes).toEqual([
    'secret_whitespace_added',
    'body_line_break_added',
  ]);
  expect((await verify({ signature: ` ${signature}`, body: JSON.stringify(EVENT, null, 1) })).codes).toEqual([
    'header_whitespace_added',
    'body_reserialised',
  ]);
});

test('webhooks verify reports a valid signature outside the tolerance as too old or in the future; --tolerance widens it', async () => {
  const old = signWebhook({ secrets: [SECRET], timestampS: timestampS - 3_600, body: BODY });
  const { document, codes } = await verify({ signature: old });
  expect(document.error.status_detail.reason).toBe('timestamp_too_old');
  expect(document.error.message).toContain('s ago');
  expect(codes).toEqual(['too_old']);
  expect((await verify({ signature: old }, ['--tolerance', '2h'])).exit).toBe(0);
  const early = signWebhook({ secrets: [SECRET], timestampS: timestampS + 3_600, body: BODY });
  expect((await verify({ signature: early })).codes).toEqual(['in_future']);
});

test('webhooks verify accepts the signature that webhooks sign prints, from stdin and with --secret', async () => {
  const env = { NAMEPLATE_WEBHOOK_SECRET: SECRET };
  const signed = await runCli(['webhooks', 'sign', '--body', '-'], { env, stdin: BODY });
  const value = /^Service-Signature: (.*)\n$/.exec(signed.stdout)?.[1] ?? '';
  await verifyWebhook({ body: BODY, signature: value, secret: SECRET });
  for (const given of [value, signed.stdout.trim()]) {
    const argv = ['webhooks', 'verify', '--body', '-', '--signature', given, '--secret', SECRET];
    const { exit, stdout } = await runCli(argv, { stdin: BODY });
    expect(exit).toBe(0);
    expect(stdout).toContain('The signature is valid: domain.active evt_');
  }
  const { headers } = JSON.parse(
    (await runCli(['webhooks', 'sign', '--body', '-', '--json'], { env, stdin: BODY })).stdout,
  );
  expect(Object.keys(headers)).toEqual([
    'Service-Signature',
    'Service-Event-Id',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
});

test.each([
  ['a missing body file', ['--body', '/nonexistent', '--secret', SECRET], 'Cannot read /nonexistent'],
  ['no secret', ['--body', '-'], 'NAMEPLATE_WEBHOOK_SECRET'],
])('webhooks sign exits with 2 for %s', async (_, flags, message) => {
  const { exit, stderr } = await runCli(['webhooks', 'sign', ...flags], { stdin: BODY });
  expect({ exit, says: stderr.includes(message) }).toEqual({ exit: 2, says: true });
});
