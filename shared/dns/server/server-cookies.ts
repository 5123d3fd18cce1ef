import ipaddr from 'ipaddr.js';
import { sipHash24 } from './sip-hash.ts';

/** Creates and verifies the cookies of a server (RFC 7873, RFC 9018 section 4). */
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
const VERSION = 1;
/** The version of the cookie (RFC 9018 section 4.3). */
const AGE_S_MAX = 3600;
const AHEAD_S_MAX = 300;

/** @param secret 16 bytes, the same on servers that share an address. */
export function createServerCookies(secret: Buffer): ServerCookies {
  function hashOf(cookie: Buffer, address: string): Buffer {
    const bytes = ipaddr.process(address).toByteArray();
    return sipHash24(secret, Buffer.concat([cookie.subarray(0, CLIENT_BYTES + 8), Buffer.from(bytes)]));
  }
  return {
    isValid(cookie, address, nowS) {
      if (cookie.length !== CLIENT_BYTES + SERVER_BYTES || cookie[CLIENT_BYTES] !== VERSION) return false;
      // Serial number arithmetic: the difference of two 32-bit times (RFC 1982).
      const ageS = (nowS - cookie.readUInt32BE(CLIENT_BYTES + 4)) | 0;
      if (ageS > AGE_S_MAX || ageS < -AHEAD_S_MAX) return false;
      return hashOf(cookie, address).equals(cookie.subarray(CLIENT_BYTES + 8));
    },
    create(cookie, address, nowS) {
      const made = Buffer.alloc(CLIENT_BYTES + SERVER_BYTES);
      cookie.copy(made, 0, 0, CLIENT_BYTES);
      made[CLIENT_BYTES] = VERSION;
      made.writeUInt32BE(nowS >>> 0, CLIENT_BYTES + 4);
      hashOf(made, address).copy(made, CLIENT_BYTES + 8);
      return made;
    },
  };
}
