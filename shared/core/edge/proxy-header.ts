import { isIPv4, isIPv6 } from 'node:net';
import { readAddress } from '../net/address-set.ts';

/**
 * The result of reading a PROXY protocol header, by which a load balancer names the client before the first byte of a connection
 * (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt).
 */
export type ProxyHeader =
  | { state: 'partial' }
  | { state: 'invalid' }
  /** `address` is null if the load balancer opened the connection for itself, as for a health check. */
  | { state: 'read'; address: string | null; bytes: number };

/** Reads a PROXY protocol header, version 1 or 2, at the start of a connection. */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsAs(bytes, V2_SIGNATURE)) return readVersion2(bytes);
  if (startsAs(bytes, V1_SIGNATURE)) return readVersion1(bytes);
  return INVALID;
}

const INVALID: ProxyHeader = { state: 'invalid' };
const PARTIAL: ProxyHeader = { state: 'partial' };

const V1_SIGNATURE = Buffer.from('PROXY ');
const V2_SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** Longest header of version 1 in bytes, including the line end. */
const V1_BYTES_MAX = 107;
const V2_HEAD_BYTES = 16;
/** Longest version 2 header that is read. Balancers send a few hundred bytes. */
const V2_BYTES_MAX = 4096;

function startsAs(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length);
  return bytes.subarray(0, length).equals(signature.subarray(0, length));
}

function readVersion1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, V1_BYTES_MAX).indexOf('\r\n');
  if (end < 0) return bytes.length < V1_BYTES_MAX ? PARTIAL : INVALID;
  const line = bytes.toString('latin1', 0, end);
  const read = (address: string | null): ProxyHeader => ({ state: 'read', address, bytes: end + 2 });
  if (/^PROXY UNKNOWN(?: |$)/.test(line)) return read(null);
  const [, family, source = '', target = ''] = V1_LINE.exec(line) ?? [];
  const isAddress = family === 'TCP4' ? isIPv4 : isIPv6;
  return isAddress(source) && isAddress(target) ? read(readAddress(source)) : INVALID;
}

const V1_LINE = /^PROXY (TCP[46]) ([0-9a-fA-F.:]+) ([0-9a-fA-F.:]+) \d{1,5} \d{1,5}$/;

/** The two valid values of the byte with the version and the command. */
const LOCAL = 0x20;
const PROXY = 0x21;

function readVersion2(bytes: Buffer): ProxyHeader {
  if (bytes.length < V2_HEAD_BYTES) return PARTIAL;
  const command = bytes[12];
  const total = V2_HEAD_BYTES + bytes.readUInt16BE(14);
  if ((command !== LOCAL && command !== PROXY) || total > V2_BYTES_MAX) return INVALID;
  if (bytes.length < total) return PARTIAL;
  if (command === LOCAL) return { state: 'read', address: null, bytes: total };
  const source = V2_SOURCES[bytes[13] ?? 0];
  if (source === undefined || total < V2_HEAD_BYTES + source.pairBytes) return INVALID;
  return { state: 'read', address: source.read(bytes.subarray(V2_HEAD_BYTES)), bytes: total };
}

/** The readers of addresses, by the byte for the address family. `pairBytes` is the total length of both addresses and ports. */
const V2_SOURCES: Readonly<Record<number, { pairBytes: number; read(bytes: Buffer): string | null }>> = {
  0: { pairBytes: 0, read: () => null },
  17: { pairBytes: 12, read: (bytes) => bytes.subarray(0, 4).join('.') },
  33: { pairBytes: 36, read: ipv6In },
};

function ipv6In(bytes: Buffer): string | null {
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16));
  return readAddress(groups.join(':'));
}
