import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** Creates and verifies the cookies of a server (RFC 7873). */
export interface ServerCookies {
  /**
   * Returns whether the client sent a valid cookie: one that this server, or another with the same secret, gave to the client's address.
   */
  isValid(cookie: Buffer, address: string, nowS: number): boolean;
  /** Returns the cookie for the response: the 8 bytes of the client, and 16 of the server. */
  create(cookie: Buffer, address: string, nowS: number): Buffer;
}

const CLIENT_BYTES = 8;
const SERVER_BYTES = 16;
/** Offset of the hash. The client's bytes and the time of creation, 4 bytes, come before it. The hash covers them and the client's address. */
const HASH_AT = CLIENT_BYTES + 4;
/** The maximum age of a cookie, and how far ahead its time may be, as in RFC 9018 section 4.3. */
const AGE_S_MAX = 3600;
const AHEAD_S_MAX = 300;

/** @param secret 16 bytes, the same on servers that share an address. */
export function createServerCookies(secret: Buffer): ServerCookies {
  /** Returns the hash of a cookie. SHA-3 needs no HMAC: it is enough to put the secret first (`decisions/0035`). */
  function hashOf(cookie: Buffer, address: string): Buffer {
    const bytes = Buffer.from(ipaddr.process(address).toByteArray());
    const signed = Buffer.concat([secret, cookie.subarray(0, HASH_AT), bytes]);
    return hash('sha3-256', signed, 'buffer').subarray(0, CLIENT_BYTES + SERVER_BYTES - HASH_AT);
  }
  return {
    isValid(cookie, address, nowS) {
      if (cookie.length !== CLIENT_BYTES + SERVER_BYTES) return false;
      // Serial number arithmetic: the difference of two 32-bit times (RFC 1982).
      const ageS = (nowS - cookie.readUInt32BE(CLIENT_BYTES)) | 0;
      if (ageS > AGE_S_MAX || ageS < -AHEAD_S_MAX) return false;
      return hashOf(cookie, address).equals(cookie.subarray(HASH_AT));
    },
    create(cookie, address, nowS) {
      const made = Buffer.alloc(CLIENT_BYTES + SERVER_BYTES);
      cookie.copy(made, 0, 0, CLIENT_BYTES);
      made.writeUInt32BE(nowS >>> 0, CLIENT_BYTES);
      hashOf(made, address).copy(made, HASH_AT);
      return made;
    },
  };
}
