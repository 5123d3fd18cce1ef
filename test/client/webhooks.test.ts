import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import Stripe from 'stripe';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { verifyWebhook } from '../../shared/client/webhooks.ts';
import { makeSigningSecret, signWebhook } from '../../shared/core/webhooks/signature.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { failure } from './signature-failure.ts';

const NOW_S = 1_800_000_000;
const now = new Date(NOW_S * 1000);
const secret = makeSigningSecret(randomBytes);
const other = makeSigningSecret(randomBytes);
const event = {
  id: 'evt_1',
  type: 'domain.active',
  created_at: '2027-01-15T08:00:00.000Z',
  data: { domain: { id: 'dom_1', metadata: { name: 'Zoë' } }, previous_status: 'issuing' },
};
const body = JSON.stringify(event);
const signature = signWebhook({ secrets: [secret], timestampS: NOW_S, body });
const v1 = signature.split(',')[1] ?? '';

test('the files that verify signatures import nothing but each other and the header names', () => {
  const imported = (path: string): string[] => {
    const url = new URL(`../../shared/client/${path}`, import.meta.url);
    const froms = [
      ...readFileSync(url, 'utf8').matchAll(/^(?:import|export)(?! type)[^;]* from '([^']+)'/gm),
    ].map(([, from = '']) => from);
    return froms.flatMap((from) => [from, ...(from.startsWith('.') ? imported(from) : [])]);
  };
  expect(imported('webhooks.ts').toSorted()).toEqual(['../core/service-name.ts', './signature-check.ts']);
});

describe('verifyWebhook verifies the signature of a webhook', () => {
  test('returns the event of a signed body, given as text or bytes', async () => {
    expect(await verifyWebhook({ body, signature, secret, now })).toEqual(event);
    expect(await verifyWebhook({ body: Buffer.from(body), signature, secret, now })).toEqual(event);
  });

  test('accepts an ArrayBuffer, any view of an ArrayBuffer, and bytes of another realm, as in tests with jsdom', async () => {
    const bytes = new TextEncoder().encode(body);
    const foreign = runInNewContext('[Uint8Array.from(bytes), Uint8Array.from(bytes).buffer]', { bytes });
    expect(foreign[0] instanceof Uint8Array || foreign[1] instanceof ArrayBuffer).toBe(false);
    const part = new Uint8Array([...bytes, 0, 0]).subarray(0, bytes.length);
    for (const each of [bytes.buffer, part, new DataView(bytes.buffer), ...foreign]) {
      expect(await verifyWebhook({ body: each, signature, secret, now })).toEqual(event);
    }
  });

  test('returns an event whose type and domain are typed', async () => {
    const received = await verifyWebhook({ body, signature, secret, now });
    expectTypeOf(received.data.domain).toEqualTypeOf<DomainResource>();
    expectTypeOf<'domain.active'>().toExtend<typeof received.type>();
    expectTypeOf<'domain.actve'>().not.toExtend<typeof received.type>();
  });

  test('accepts the header as any framework provides it, or all headers', async () => {
    expect(await verifyWebhook({ body, signature: [signature], secret, now })).toEqual(event);
    const node = { 'service-signature': signature, host: 'acme.com' };
    for (const headers of [node, new Headers(node), { 'Service-Signature': [signature] }]) {
      expect(await verifyWebhook({ body, headers, secret, now })).toEqual(event);
    }
    const own = { 'brand-signature': signature };
    expect(await verifyWebhook({ body, headers: own, serviceName: 'Brand', secret, now })).toEqual(event);
    const missing = await failure(verifyWebhook({ body, headers: {}, secret, now }));
    expect(missing).toMatchObject({
      reason: 'malformed_header',
      message: expect.stringContaining('Service-Signature'),
    });
    for (const wrong of [undefined, null, [], [signature, signature]]) {
      expect((await failure(verifyWebhook({ body, signature: wrong, secret, now }))).reason).toBe(
        'malformed_header',
      );
    }
  });

  test('throws a TypeError that names express.raw if the body was already parsed', async () => {
    for (const parsed of [event, [event], [], 7, true, new Date(0)]) {
      const verified = verifyWebhook({ body: parsed as unknown as string, signature, secret, now });
      await expect(verified).rejects.toThrow(TypeError);
      await expect(verified).rejects.toThrow("express.raw({ type: '*/*' })");
    }
  });

  test('refuses a request without a signature, whatever its body', async () => {
    for (const none of [event, {}, null, undefined, 'x']) {
      const verified = verifyWebhook({ body: none as unknown as string, headers: {}, secret, now });
      expect((await failure(verified)).reason).toBe('malformed_header');
    }
  });

  test('refuses a request whose body a framework did not read', async () => {
    for (const unread of [{}, null, undefined]) {
      const error = await failure(
        verifyWebhook({ body: unread as unknown as string, signature, secret, now }),
      );
      expect(error).toMatchObject({
        reason: 'no_match',
        message: expect.stringContaining("express.raw({ type: '*/*' })"),
      });
    }
  });

  test('reports an unset secret differently from a wrong signature', async () => {
    for (const none of [undefined, '', [], ['']]) {
      const verified = verifyWebhook({ body, signature, secret: none, now });
      await expect(verified).rejects.toThrow(TypeError);
      await expect(verified).rejects.toThrow('check that its environment variable is set');
    }
  });

  test('accepts either secret, from an app before or after a rotation', async () => {
    const both = signWebhook({ secrets: [other, secret], timestampS: NOW_S, body });
    expect(await verifyWebhook({ body, signature: both, secret, now })).toEqual(event);
    expect(await verifyWebhook({ body, signature: both, secret: other, now })).toEqual(event);
    expect(await verifyWebhook({ body, signature, secret: [other, secret], now })).toEqual(event);
  });

  test('accepts up to 300 seconds in either direction', async () => {
    const at = (offsetS: number) => new Date((NOW_S + offsetS) * 1000);
    expect(await verifyWebhook({ body, signature, secret, now: at(300) })).toEqual(event);
    expect(await verifyWebhook({ body, signature, secret, now: at(-300) })).toEqual(event);
    const old = await failure(verifyWebhook({ body, signature, secret, now: at(301) }));
    expect(old).toMatchObject({ reason: 'timestamp_too_old', message: expect.stringContaining('301 s ago') });
    const early = await failure(verifyWebhook({ body, signature, secret, now: at(-301) }));
    expect(early).toMatchObject({ reason: 'timestamp_in_future', message: expect.stringContaining('301 s') });
    expect(await verifyWebhook({ body, signature, secret, now: at(1000), toleranceS: 1000 })).toEqual(event);
  });

  test('accepts nothing if the tolerance or the clock is not a number', async () => {
    await failure(verifyWebhook({ body, signature, secret, now, toleranceS: Number.NaN }));
    await failure(verifyWebhook({ body, signature, secret, now: new Date(Number.NaN) }));
  });

  test("uses the machine's clock by default", async () => {
    const timestampS = Math.floor(Date.now() / 1000);
    const fresh = signWebhook({ secrets: [secret], timestampS, body });
    expect(await verifyWebhook({ body, signature: fresh, secret })).toEqual(event);
    const stale = signWebhook({ secrets: [secret], timestampS: timestampS - 400, body });
    expect((await failure(verifyWebhook({ body, signature: stale, secret }))).reason).toBe(
      'timestamp_too_old',
    );
  });

  test('refuses another secret, body or time', async () => {
    const inputs = [
      { body, signature, secret: other, now },
      { body: `${body} `, signature, secret, now },
      { body, signature: signature.replace(String(NOW_S), String(NOW_S - 1)), secret, now },
    ];
    for (const input of inputs) expect((await failure(verifyWebhook(input))).reason).toBe('no_match');
  });

  test('never reveals the expected signature or the secret', async () => {
    const { message } = await failure(
      verifyWebhook({ body, signature: `t=${NOW_S},v1=${'0'.repeat(64)}`, secret, now }),
    );
    expect(message).not.toContain(v1.slice(3, 20));
    expect(message).not.toContain(secret);
  });

  test('distinguishes a body that was serialized again from a wrong secret', async () => {
    const pretty = JSON.stringify(event, null, 2);
    const error = await failure(verifyWebhook({ body: pretty, signature, secret, now }));
    expect(error).toMatchObject({ reason: 'no_match', message: expect.stringContaining('raw body') });
    expect(error.message).toContain('serialized again');
    expect(
      (await failure(verifyWebhook({ body: pretty, signature, secret: other, now }))).message,
    ).not.toContain('serialized again');
  });

  test('refuses a forged body of any depth', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect((await failure(verifyWebhook({ body: deep, signature, secret, now }))).reason).toBe('no_match');
  });

  test.each([
    '',
    'v1',
    v1,
    `t=${NOW_S}`,
    `t=,${v1}`,
    `t=-1,${v1}`,
    `t=1e9,${v1}`,
    `t=0x1,${v1}`,
    `t=1234567890123,${v1}`,
    `t=١٢٣,${v1}`,
    `t= ${NOW_S},${v1}`,
    `t=${NOW_S}, ${v1}`,
    `t=${NOW_S},${v1} `,
    `t=${NOW_S},${v1},`,
    `t=${NOW_S},t=${NOW_S},${v1}`,
    `t=${NOW_S},v1=`,
    `t=${NOW_S},v1=${'g'.repeat(64)}`,
    `t=${NOW_S},${v1}0`,
    `t=${NOW_S},v1=${v1.slice(3).toUpperCase()}`,
    `t=${NOW_S},${v1},v1=short`,
    `t=${NOW_S};${v1}`,
    `t=${NOW_S},${Array.from({ length: 100 }, () => v1).join(',')}`,
  ])('reports the header %j as malformed', async (header) => {
    expect((await failure(verifyWebhook({ body, signature: header, secret, now }))).reason).toBe(
      'malformed_header',
    );
  });

  test('accepts a timestamp of 1 to 12 digits, and ignores a signature of a later scheme', async () => {
    for (const timestampS of [0, 999_999_999_999]) {
      const edge = signWebhook({ secrets: [secret], timestampS, body });
      expect(
        await verifyWebhook({ body, signature: edge, secret, now: new Date(timestampS * 1000) }),
      ).toEqual(event);
    }
    expect(await verifyWebhook({ body, signature: `${signature},v2=abc+/=`, secret, now })).toEqual(event);
  });

  test('throws a TypeError if the secret is missing', async () => {
    for (const missing of ['', [], [secret, '']]) {
      await expect(verifyWebhook({ body, signature, secret: missing, now })).rejects.toThrow(TypeError);
    }
    const unset = { body, signature, now, secret: process.env['NO_SUCH_SECRET'] } as Parameters<
      typeof verifyWebhook
    >[0];
    await expect(verifyWebhook(unset)).rejects.toThrow(TypeError);
  });

  test.each(['', 'text', 'null', '[]', '{"id":"evt_1"}', '{"type":"domain.active"}', '\ufeff'])(
    'refuses a signed body of %j, which is not an event',
    async (text) => {
      const signed = signWebhook({ secrets: [secret], timestampS: NOW_S, body: text });
      expect((await failure(verifyWebhook({ body: text, signature: signed, secret, now }))).reason).toBe(
        'malformed_body',
      );
    },
  );

  test('verifies everything that the service signs, and refuses one changed character', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.nat(999_999_999), async (text, timestampS) => {
        const signed = JSON.stringify({ ...event, text });
        const header = signWebhook({ secrets: [secret], timestampS, body: signed });
        const at = new Date(timestampS * 1000);
        expect(await verifyWebhook({ body: signed, signature: header, secret, now: at })).toEqual({
          ...event,
          text,
        });
        const changed = header.slice(0, -1) + (header.endsWith('0') ? '1' : '0');
        expect(
          (await failure(verifyWebhook({ body: signed, signature: changed, secret, now: at }))).reason,
        ).toBe('no_match');
      }),
    );
  });
});

describe("Stripe's library can verify our webhooks", () => {
  const { webhooks } = new Stripe('sk_test_unused');

  test('accepts our header, even during a rotation', () => {
    const both = signWebhook({ secrets: [other, secret], timestampS: NOW_S, body });
    for (const header of [signature, both]) {
      expect(webhooks.constructEvent(body, header, secret, 300, undefined, NOW_S * 1000)).toEqual(event);
    }
  });

  test('refuses a wrong secret and an old signature', () => {
    expect(() => webhooks.constructEvent(body, signature, other, 300, undefined, NOW_S * 1000)).toThrow(
      /signature/i,
    );
    expect(() =>
      webhooks.constructEvent(body, signature, secret, 300, undefined, (NOW_S + 301) * 1000),
    ).toThrow(/[Tt]imestamp/);
  });

  test('creates a header that we accept', async () => {
    const header = webhooks.generateTestHeaderString({ payload: body, secret, timestamp: NOW_S });
    expect(await verifyWebhook({ body, signature: header, secret, now })).toEqual(event);
  });
});
