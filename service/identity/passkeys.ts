import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { PasskeySite } from '../../shared/core/accounts/passkey.ts';
import { SESSION } from '../../shared/core/accounts/session.ts';
import type { CreationResponse, Passkeys, Verified } from '../../shared/ports/accounts.ts';

/** COSE algorithms in order of preference: ES256, EdDSA and RS256. Every authenticator in use supports one of these algorithms. */
const ALGORITHMS = [-7, -8, -257];

/** Creates and verifies the passkeys of a site with `@simplewebauthn/server`. */
export function createPasskeys({ host, origin }: PasskeySite, serviceName: string): Passkeys {
  const expected = { expectedOrigin: origin, expectedRPID: host, requireUserVerification: true };
  const timeout = SESSION.passkey_challenge_ms;
  return {
    creationOptions: ({ mail, userHandle, challenge, known }) =>
      generateRegistrationOptions({
        rpName: serviceName,
        rpID: host,
        userName: mail,
        userDisplayName: mail,
        userID: bytesOf(userHandle),
        challenge: new Uint8Array(challenge),
        timeout,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: known.map(({ credential_id, transports }) => ({
          id: credential_id,
          transports: [...transports],
        })),
      }),

    requestOptions: (challenge) =>
      generateAuthenticationOptions({
        rpID: host,
        challenge: new Uint8Array(challenge),
        timeout,
        userVerification: 'required',
      }),

    verifyCreation: (response, challenge) =>
      verify(async () => {
        refuseCertificates(response);
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          ...expected,
          response: { ...withTransports(response), clientExtensionResults: {} },
          expectedChallenge: challenge,
          supportedAlgorithmIDs: ALGORITHMS,
        });
        if (!verified) return null;
        const { id, publicKey, counter } = registrationInfo.credential;
        // Refuse a response whose outer id differs from the id that the authenticator has signed.
        if (id !== response.id) return null;
        return { credential_id: id, public_key: Buffer.from(publicKey).toString('base64url'), counter };
      }),

    verifySignature: (response, challenge, passkey) =>
      verify(async () => {
        const { userHandle, ...signed } = response.response;
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          ...expected,
          response: {
            ...response,
            clientExtensionResults: {},
            response: { ...signed, ...(typeof userHandle === 'string' && { userHandle }) },
          },
          expectedChallenge: challenge,
          credential: {
            id: passkey.credential_id,
            publicKey: bytesOf(passkey.public_key),
            counter: passkey.counter,
          },
        });
        return verified ? { counter: authenticationInfo.newCounter } : null;
      }),
  };
}

/** Runs a verification. If the library throws, returns its error message, which says why the library refused the input. */
async function verify<T>(run: () => Promise<T | null>): Promise<Verified<T>> {
  try {
    const verified = await run();
    return verified === null
      ? { ok: false, problem: 'the signature does not match' }
      : { ok: true, ...verified };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Throws for an attestation with certificates. Browsers send no such attestation, because our options do not request one. For such a
 * certificate, the library would fetch a revocation list from an address that the sender has chosen.
 */
function refuseCertificates({ response }: CreationResponse): void {
  const attestation = decodeAttestationObject(bytesOf(response.attestationObject));
  const format = attestation.get('fmt');
  // A self attestation has the format `packed` and no certificate (WebAuthn section 8.2).
  const isPlain =
    format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
  if (!isPlain) throw new Error(`an attestation of the format ${format} was not asked for`);
}

function withTransports({ response, ...rest }: CreationResponse) {
  const { transports, ...others } = response;
  return { ...rest, response: { ...others, ...(transports && { transports }) } };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'));
}
