import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect } from 'node:tls';

/** Writes HTTP/2 frames, valid or not (RFC 9113 section 4). */
export interface FrameWriter {
  frame(frame: Frame): void;
  bytes(bytes: Buffer): void;
  /** Writes a request: its exact header list in HEADERS and, if necessary, one CONTINUATION. */
  headers(stream: number, list: readonly Field[], flags?: number): void;
}

/** An HTTP/2 visitor that writes and reads single frames. */
export interface RawHttp2 extends FrameWriter, Disposable {
  /** All frames that the visitor has received so far. */
  got: GotFrame[];
  /** Resolves with the first matching frame, past or future, or with null if the connection ends without one. */
  until(wanted: (frame: GotFrame) => boolean): Promise<GotFrame | null>;
  /** Resolves with the end of a stream: the status of the response, the code of the reset, or 'closed'. */
  outcome(stream: number): Promise<number | `reset ${number}` | 'closed'>;
  closed: Promise<void>;
}

export interface Frame {
  type: number;
  flags?: number;
  stream?: number;
  payload?: Buffer;
  /** A wrong length to write into the frame's header; by default the right one. */
  length?: number;
}

export type GotFrame = Required<Frame>;

export type Field = readonly [name: string, value: string];

export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

export const END_STREAM = 1;
export const ACK = 1;
export const END_HEADERS = 4;

/** The frame size that every server accepts (RFC 9113 section 4.2). */
const FRAME_BYTES_MAX = 16_384;
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/**
 * @param with_preface if false, the visitor sends no connection preface, so that the caller can send any first bytes.
 * @param proxyHeader the bytes that a load balancer sends first, without TLS.
 * @param host the address to connect to.
 * @param window the initial window: the bytes of each response that the edge may send at first.
 */
export async function rawHttp2(
  port: number,
  servername: string,
  {
    with_preface = true,
    proxyHeader = '',
    host = '127.0.0.1',
    localAddress = '127.0.0.1',
    window = 65_535,
  } = {},
): Promise<RawHttp2> {
  const tcp = connectTcp({ port, host, localAddress, noDelay: true });
  if (proxyHeader !== '') tcp.write(proxyHeader);
  const socket = connect({
    socket: tcp,
    servername,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  await once(socket, 'secureConnect');
  const got: GotFrame[] = [];
  let rest = Buffer.alloc(0);
  const looking = new Set<() => void>();
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let length = rest.length < 9 ? Infinity : rest.readUIntBE(0, 3); rest.length >= 9 + length; ) {
      const frame = {
        type: rest.readUInt8(3),
        flags: rest.readUInt8(4),
        stream: rest.readUInt32BE(5) & 0x7fffffff,
        payload: Buffer.from(rest.subarray(9, 9 + length)),
        length,
      };
      got.push(frame);
      if (frame.type === SETTINGS && frame.flags !== ACK) visitor.frame({ type: SETTINGS, flags: ACK });
      rest = rest.subarray(9 + length);
      length = rest.length < 9 ? Infinity : rest.readUIntBE(0, 3);
    }
    for (const look of looking) look();
  });
  // Tests expect resets, so an error only closes the socket.
  socket.on('error', () => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  void closed.then(() => {
    for (const look of looking) look();
  });

  const visitor: RawHttp2 = {
    got,
    closed,
    ...frameWriter((bytes) => void (socket.writable && socket.write(bytes))),
    until: (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          const found = got.find(wanted);
          if (!found && !socket.closed) return;
          looking.delete(look);
          resolve(found ?? null);
        };
        looking.add(look);
        look();
      }),
    async outcome(stream) {
      const found = await visitor.until(
        (frame) =>
          (frame.stream === stream && (frame.type === HEADERS || frame.type === RST_STREAM)) ||
          frame.type === GOAWAY,
      );
      if (found?.type === HEADERS) return statusOf(found.payload);
      return found?.type === RST_STREAM ? `reset ${found.payload.readUInt32BE(0)}` : 'closed';
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
  if (with_preface) {
    visitor.bytes(PREFACE);
    visitor.frame({ type: SETTINGS, payload: initialWindow(window) });
  }
  return visitor;
}

/** Returns the payload of SETTINGS with SETTINGS_INITIAL_WINDOW_SIZE (RFC 9113 section 6.5.2). */
function initialWindow(bytes: number): Buffer {
  const setting = Buffer.from([0, 4, 0, 0, 0, 0]);
  setting.writeUInt32BE(bytes, 2);
  return setting;
}

export function frameWriter(write: (bytes: Buffer) => void): FrameWriter {
  const frame: FrameWriter['frame'] = ({
    type,
    flags = 0,
    stream = 0,
    payload = Buffer.alloc(0),
    length = payload.length,
  }) => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    write(Buffer.concat([head, payload]));
  };
  return {
    bytes: write,
    frame,
    headers(stream, list, flags = END_STREAM | END_HEADERS) {
      const block = headerBlock(list);
      const isWhole = block.length <= FRAME_BYTES_MAX;
      const first = isWhole ? flags : flags & ~END_HEADERS;
      frame({ type: HEADERS, flags: first, stream, payload: block.subarray(0, FRAME_BYTES_MAX) });
      if (isWhole) return;
      const payload = block.subarray(FRAME_BYTES_MAX);
      frame({ type: CONTINUATION, flags: flags & END_HEADERS, stream, payload });
    },
  };
}

/** Encodes every field as a literal without indexing, so that each byte stays unchanged (RFC 7541 section 6.2.2). */
export function headerBlock(list: readonly Field[]): Buffer {
  return Buffer.concat(list.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]));
}

/** Encodes a string without Huffman (RFC 7541 section 5.2). */
function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let left = bytes.length - 127;
  for (; left >= 128; left >>= 7) length.push((left & 127) | 128);
  return Buffer.concat([Buffer.from([...length, left]), bytes]);
}

/**
 * Reads the status, the first field of a response: an entry of the static table (RFC 7541 section 6.1), or digits, plain or in Huffman
 * code.
 */
function statusOf(block: Buffer): number {
  const first = block.readUInt8(0);
  const indexed: Record<number, number> = {
    136: 200,
    137: 204,
    138: 206,
    139: 304,
    140: 400,
    141: 404,
    142: 500,
  };
  if (first in indexed) return indexed[first] ?? 0;
  const length = block.readUInt8(1);
  const digits = block.subarray(2, 2 + (length & 127));
  return Number((length & 128) !== 0 ? huffmanDigits(digits) : digits.toString('latin1'));
}

/** Decodes three digits in Huffman code (RFC 7541 appendix B), where 0, 1 and 2 have five bits and each other digit has six. */
function huffmanDigits(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  let text = '';
  while (bits.length >= 5 && text.length < 3) {
    const short = Number.parseInt(bits.slice(0, 5), 2);
    const long = Number.parseInt(bits.slice(0, 6), 2);
    text += short <= 2 ? String(short) : String(long - 0x19 + 3);
    bits = bits.slice(short <= 2 ? 5 : 6);
  }
  return text;
}
