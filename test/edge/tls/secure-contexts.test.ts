import { afterAll, expect, test } from 'vitest';
import { EDGE_LIMITS } from '../../../shared/edge/edge-limits.ts';
import { createSecureContexts, type SecureContexts } from '../../../shared/edge/tls/secure-contexts.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { HOST } from '../edge-under-test.ts';
import { certificateFor } from './certificates-under-test.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

const AWAY = new Error('database away');

/** Creates a cache with one certificate, whose source fails from then on. */
async function hotContext({ gone }: { gone: boolean }) {
  const certificate = certificateFor(ca, HOST);
  const answers = [() => certificate];
  const source = {
    findCertificate: async () => {
      const answer = answers.shift();
      if (!answer) throw AWAY;
      return answer();
    },
    isGone: () => gone,
  };
  const contexts = createSecureContexts(source, EDGE_LIMITS);
  expect(await contexts.find(HOST)).not.toBeNull();
  return contexts;
}

const CHANGES = [
  ['by its name', (contexts: SecureContexts) => contexts.changed(HOST)],
  ['together with all names', (contexts: SecureContexts) => contexts.allChanged()],
] as const;

test.each(CHANGES)(
  'the certificate cache drops the key of a deleted name at once when the change is reported %s',
  async (_, change) => {
    const contexts = await hotContext({ gone: true });
    change(contexts);
    await expect(contexts.find(HOST)).rejects.toThrow(AWAY);
  },
);

test.each(CHANGES)(
  'after a change is reported %s, the certificate cache serves a certificate only after a new lookup',
  async (_, change) => {
    const contexts = await hotContext({ gone: false });
    change(contexts);
    expect(contexts.ready(HOST)).toBeNull();
    expect(await contexts.find(HOST)).not.toBeNull();
  },
);

test('the certificate cache does not store a key that was looked up while its name was deleted', async () => {
  const found = Promise.withResolvers<ReturnType<typeof certificateFor>>();
  let gone = false;
  const source = {
    findCertificate: async () => (gone ? null : found.promise),
    isGone: () => gone,
  };
  const contexts = createSecureContexts(source, EDGE_LIMITS);
  const finding = contexts.find(HOST);
  gone = true;
  contexts.changed(HOST);
  found.resolve(certificateFor(ca, HOST));
  expect(await finding).toBeNull();
  expect(contexts.ready(HOST)).toBeNull();
});
