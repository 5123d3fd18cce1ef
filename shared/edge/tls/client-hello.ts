/** The fields of a visitor's ClientHello that OpenSSL does not report for a resumed session of TLS 1.2. */
export interface ClientHello {
  /** The server name (SNI) in lowercase, without a dot at its end; '' if the message has none. */
  servername: string;
  offersTls13: boolean;
}

/** Size of a record's header, and the largest record (RFC 8446 section 5.1). */
const HEADER_BYTES = 5;
const RECORD_BYTES_MAX = 16 * 1024;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;

/**
 * Returns whether more bytes are needed before the first record can be read. Returns false for bytes that are not TLS, or that announce a
 * record beyond the maximum size.
 */
export function isPartial(bytes: Buffer): boolean {
  if (bytes.length < HEADER_BYTES) return bytes.length === 0 || bytes[0] === HANDSHAKE;
  const length = bytes.readUInt16BE(3);
  return bytes[0] === HANDSHAKE && length <= RECORD_BYTES_MAX && bytes.length < HEADER_BYTES + length;
}

/**
 * Reads a ClientHello (RFC 8446 section 4.1.2) that fits into one record, as all do in practice.
 * @returns null for anything else, which OpenSSL may still be able to read.
 */
export function readClientHello(bytes: Buffer): ClientHello | null {
  if (isPartial(bytes) || bytes[0] !== HANDSHAKE) return null;
  try {
    return helloIn(new Reader(bytes, HEADER_BYTES, HEADER_BYTES + bytes.readUInt16BE(3)));
  } catch (error) {
    // A length field in the message points beyond the end of the message.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns a server name in lowercase and without a dot at its end. Some clients send the dot, although RFC 6066 section 3 forbids it. */
export function plainServername(servername: string): string {
  return servername.toLowerCase().replace(/\.$/, '');
}

const SERVER_NAME = 0;
const SUPPORTED_VERSIONS = 43;
const TLS13 = 0x0304;

function helloIn(message: Reader): ClientHello | null {
  if (message.uint(1) !== CLIENT_HELLO) return null;
  const hello = message.vector(3);
  hello.skip(2 + 32);
  // Skips the session id, the cipher suites and the compression methods.
  hello.skip(hello.uint(1));
  hello.skip(hello.uint(2));
  hello.skip(hello.uint(1));
  const read: ClientHello = { servername: '', offersTls13: false };
  const extensions = hello.ended ? hello : hello.vector(2);
  while (!extensions.ended) {
    const type = extensions.uint(2);
    if (type === SERVER_NAME) read.servername = hostNameIn(extensions.vector(2).vector(2));
    else if (type === SUPPORTED_VERSIONS) read.offersTls13 = includesTls13(extensions.vector(2).vector(1));
    else extensions.skip(extensions.uint(2));
  }
  return read;
}

/** Reads the first name of a server name list, if the type of the name is 0, `host_name` (RFC 6066 section 3). */
function hostNameIn(list: Reader): string {
  return list.uint(1) === 0 ? plainServername(list.vector(2).text()) : '';
}

function includesTls13(versions: Reader): boolean {
  let found = false;
  while (!versions.ended) found = versions.uint(2) === TLS13 || found;
  return found;
}

/** Reads values in the presentation language of RFC 8446 section 3, without copying. @throws RangeError beyond the end. */
class Reader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, from: number, end: number) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = end;
  }

  get ended(): boolean {
    return this.#at >= this.#end;
  }

  uint(bytes: number): number {
    const from = this.#at;
    this.skip(bytes);
    return this.#bytes.readUIntBE(from, bytes);
  }

  vector(lengthBytes: number): Reader {
    const length = this.uint(lengthBytes);
    const from = this.#at;
    this.skip(length);
    return new Reader(this.#bytes, from, from + length);
  }

  skip(bytes: number): void {
    this.#at += bytes;
    if (this.#at > this.#end) throw new RangeError('it ends too early');
  }

  text(): string {
    return this.#bytes.toString('latin1', this.#at, this.#end);
  }
}
