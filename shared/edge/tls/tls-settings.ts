import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { ServedCertificate } from '../../ports/certificates.ts';

/** TLS 1.2 and 1.3, only with forward secrecy and AEAD: the intermediate profile of Mozilla, without finite-field Diffie-Hellman. */
export const TLS_SETTINGS = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  honorCipherOrder: true,
  ecdhCurve: 'X25519MLKEM768:X25519:prime256v1:secp384r1',
  sigalgs: [
    'ecdsa_secp256r1_sha256',
    'ecdsa_secp384r1_sha384',
    'rsa_pss_rsae_sha256',
    'rsa_pss_rsae_sha384',
    'rsa_pss_rsae_sha512',
    'rsa_pkcs1_sha256',
    'rsa_pkcs1_sha384',
    'rsa_pkcs1_sha512',
  ].join(':'),
  // A renegotiation costs the server more than the client, and no visitor needs one.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_PRIORITIZE_CHACHA,
} as const satisfies SecureContextOptions;

/**
 * Creates the TLS context of a certificate and its key.
 * @throws an OpenSSL error if the chain or the key is unreadable, or if the two do not match. The error contains no part of the key.
 */
export function contextOf({ chain, private_key }: ServedCertificate): SecureContext {
  // Node takes only the certificate and the key from a context that was chosen by SNI. All other settings come from the server's options.
  return createSecureContext({ cert: chain, key: private_key });
}

/**
 * Frees the native memory of a context, about 40 KB that the garbage collector does not count. Existing connections are not affected. Frees
 * the memory in the next turn of the event loop, so that a handshake that has just got the context can use it.
 */
export function closeContext({ context }: SecureContext): void {
  const native: { close(): void } = context;
  setImmediate(() => native.close());
}
