import type { DashboardSession } from '../../responses.ts';
import { ask } from '../ask.ts';

export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis;
}

/** Signs in with a passkey of this browser. @throws RequestError, or the browser's error if the person cancels. */
export async function signInWithPasskey(): Promise<DashboardSession> {
  const options = await ask<PublicKeyCredentialRequestOptionsJSON>('POST /sign-in/passkeys/options', {});
  const { challenge, allowCredentials = [], ...rest } = options;
  const credential = await navigator.credentials.get({
    publicKey: {
      ...(rest as object),
      challenge: bytesOf(challenge),
      allowCredentials: allowCredentials.map(reference),
    },
  });
  return ask<DashboardSession>('POST /sign-in/passkeys', { response: jsonOf(credential) });
}

/** Creates a passkey and stores it under a name. @throws RequestError, or the browser's error if the person cancels. */
export async function addPasskey(name: string): Promise<void> {
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>('POST /passkeys/options', {});
  const { challenge, user, excludeCredentials = [], rp, pubKeyCredParams, ...rest } = options;
  const credential = await navigator.credentials.create({
    publicKey: {
      ...(rest as object),
      rp,
      pubKeyCredParams,
      challenge: bytesOf(challenge),
      user: { ...user, id: bytesOf(user.id) },
      excludeCredentials: excludeCredentials.map(reference),
    },
  });
  await ask('POST /passkeys', { name, response: jsonOf(credential) });
}

function reference({ id, transports }: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor {
  return {
    id: bytesOf(id),
    type: 'public-key',
    ...(transports && { transports: transports as AuthenticatorTransport[] }),
  };
}

/** Converts a credential to JSON, because older browsers lack `toJSON`. */
function jsonOf(credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser returned no passkey.');
  const { id, type, response, authenticatorAttachment } = credential;
  return {
    id,
    rawId: id,
    type,
    authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      ...(response instanceof AuthenticatorAttestationResponse
        ? { attestationObject: textOf(response.attestationObject), transports: response.getTransports() }
        : assertionOf(response as AuthenticatorAssertionResponse)),
    },
  };
}

function assertionOf({ authenticatorData, signature, userHandle }: AuthenticatorAssertionResponse): object {
  return {
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    ...(userHandle !== null && { userHandle: textOf(userHandle) }),
  };
}

/** Decodes base64url (RFC 4648 section 5). */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
