import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { ServedCertificate } from '../../ports/certificates.ts';

/** TLS 1.2 and 1.3 with forward secrecy and AEAD only: Mozilla's intermediate profile without finite-field Diffie-Hellman. */
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
 * Creates the context of a certificate.
 * @throws an OpenSSL error if the chain or key is unreadable, or they do not match. The error contains no part of the key.
 */
export function contextOf({ chain, private_key }: ServedCertificate): SecureContext {
  // When SNI chooses a context, Node takes only these two from it. Everything else comes from the server's options.
  return createSecureContext({ cert: chain, key: private_key });
}

/**
 * Frees a context's native memory, about 40 KB that the garbage collector does not see. Existing connections keep what they need. The
 * release is deferred, so that a handshake that is about to use the context still can.
 */
export function closeContext({ context }: SecureContext): void {
  const native: { close(): void } = context;
  setImmediate(() => native.close());
}
