import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { REVOCATION_REASONS } from '../../../shared/core/certificates/certificate.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import type { CaAnswer } from '../../../shared/ports/certificates.ts';
import { findNewestCertificate } from '../../../shared/store/certificates/certificates.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';
const DONE: CaAnswer<null> = { ok: true, value: null, retryAt: null };

function refusal(type: string): CaAnswer<null> {
  return { ok: false, problem: { status: 500, type, detail: '', retryAt: null, subproblems: [] } };
}

const BUSY = refusal('serverInternal');

/** Adds an active domain. @returns the domain's id, the serial of its certificate, and the serials that the CA is asked to revoke. */
async function activeDomain(under: CertificateWorld, answers: CaAnswer<null>[] = []) {
  const revoked: string[] = [];
  const [authority] = under.authorities;
  if (authority === undefined) throw new Error('there is no authority');
  authority.revoke = async (_, certificate, reason) => {
    revoked.push(`${new X509Certificate(certificate).serialNumber.toLowerCase()} ${reason}`);
    return answers.shift() ?? DONE;
  };
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  const certificate = await findNewestCertificate(under.world.context.store, id);
  return { id, expected: `${certificate?.serial} ${REVOCATION_REASONS.cessation_of_operation}`, revoked };
}

function revokeOnDelete({ world: { context } }: CertificateWorld): void {
  context.settings = { ...context.settings, revokesOnDelete: true };
}

function remove({ world, caller }: CertificateWorld, id: DomainId) {
  return deleteDomain(world.context, caller, { params: { id } });
}

function rows({ world }: CertificateWorld) {
  return world.context.store.db.selectFrom('revocations').selectAll().execute();
}

test('by default, the certificate of a deleted domain is not revoked', async () => {
  await using under = await certificateWorld();
  const { id, revoked } = await activeDomain(under);
  await remove(under, id);
  await under.pass(DAY_MS);
  expect(revoked).toEqual([]);
});

test("if the operator's settings say so, the certificate of a deleted domain is revoked once", async () => {
  await using under = await certificateWorld();
  revokeOnDelete(under);
  const { id, expected, revoked } = await activeDomain(under);
  await remove(under, id);
  expect(JSON.stringify(await rows(under))).not.toContain('PRIVATE');
  await under.pass(DAY_MS);
  expect(revoked).toEqual([expected]);
  expect(await rows(under)).toEqual([]);
});

test('a revocation that the authority refuses is repeated every hour', async () => {
  await using under = await certificateWorld();
  revokeOnDelete(under);
  const { id, expected, revoked } = await activeDomain(under, [BUSY, BUSY]);
  await remove(under, id);
  await under.pass(HOUR_MS + MINUTE_MS);
  expect(revoked).toEqual([expected, expected]);
  await under.pass(DAY_MS);
  expect(revoked).toEqual([expected, expected, expected]);
});

test('a certificate that the authority has revoked already is treated as revoked', async () => {
  await using under = await certificateWorld();
  revokeOnDelete(under);
  const { id, revoked } = await activeDomain(under, [refusal('alreadyRevoked')]);
  await remove(under, id);
  await under.pass(DAY_MS);
  expect(revoked).toHaveLength(1);
});

test('a certificate is not revoked after it has expired', async () => {
  await using under = await certificateWorld();
  revokeOnDelete(under);
  const { id, revoked } = await activeDomain(
    under,
    Array.from({ length: 5000 }, () => BUSY),
  );
  await remove(under, id);
  under.world.clock.move(90 * DAY_MS);
  await under.pass(DAY_MS);
  expect(revoked).toEqual([]);
  expect(await rows(under)).toEqual([]);
});
