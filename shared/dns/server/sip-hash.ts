/**
 * Returns the SipHash-2-4 of a message, 8 bytes. DNS servers agreed on it for cookies (RFC 9018), and Node's OpenSSL does not offer it to
 * programs. Calculates with 32-bit halves, because BigInt is slow.
 * @param key 16 bytes.
 */
export function sipHash24(key: Buffer, message: Buffer): Buffer {
  const k0 = [key.readUInt32LE(4), key.readUInt32LE(0)] as const;
  const k1 = [key.readUInt32LE(12), key.readUInt32LE(8)] as const;
  // Four words, each as its high and its low half: the initial state is "somepseudorandomlygeneratedbytes".
  const v = Int32Array.of(
    k0[0] ^ 0x736f6d65,
    k0[1] ^ 0x70736575,
    k1[0] ^ 0x646f7261,
    k1[1] ^ 0x6e646f6d,
    k0[0] ^ 0x6c796765,
    k0[1] ^ 0x6e657261,
    k1[0] ^ 0x74656462,
    k1[1] ^ 0x79746573,
  );
  const padded = Buffer.alloc(8 * Math.floor(message.length / 8 + 1));
  message.copy(padded);
  padded[padded.length - 1] = message.length & 0xff;
  for (let at = 0; at < padded.length; at += 8) {
    const high = padded.readInt32LE(at + 4);
    const low = padded.readInt32LE(at);
    xor(v, 6, high, low);
    round(v);
    round(v);
    xor(v, 0, high, low);
  }
  xor(v, 4, 0, 0xff);
  for (let rounds = 0; rounds < 4; rounds++) round(v);
  for (const word of [2, 4, 6]) xor(v, 0, v[word] ?? 0, v[word + 1] ?? 0);
  const hash = Buffer.alloc(8);
  hash.writeInt32LE(v[1] ?? 0, 0);
  hash.writeInt32LE(v[0] ?? 0, 4);
  return hash;
}

function round(v: Int32Array): void {
  add(v, 0, 2);
  rotate(v, 2, 13);
  xorWord(v, 2, 0);
  rotate(v, 0, 32);
  add(v, 4, 6);
  rotate(v, 6, 16);
  xorWord(v, 6, 4);
  add(v, 0, 6);
  rotate(v, 6, 21);
  xorWord(v, 6, 0);
  add(v, 4, 2);
  rotate(v, 2, 17);
  xorWord(v, 2, 4);
  rotate(v, 4, 32);
}

function add(v: Int32Array, to: number, from: number): void {
  const low = ((v[to + 1] ?? 0) >>> 0) + ((v[from + 1] ?? 0) >>> 0);
  v[to] = (v[to] ?? 0) + (v[from] ?? 0) + (low > 0xffff_ffff ? 1 : 0);
  v[to + 1] = low;
}

function rotate(v: Int32Array, word: number, bits: number): void {
  const high = v[word] ?? 0;
  const low = v[word + 1] ?? 0;
  if (bits === 32) {
    v[word] = low;
    v[word + 1] = high;
    return;
  }
  v[word] = (high << bits) | (low >>> (32 - bits));
  v[word + 1] = (low << bits) | (high >>> (32 - bits));
}

function xor(v: Int32Array, word: number, high: number, low: number): void {
  v[word] = (v[word] ?? 0) ^ high;
  v[word + 1] = (v[word + 1] ?? 0) ^ low;
}

function xorWord(v: Int32Array, to: number, from: number): void {
  xor(v, to, v[from] ?? 0, v[from + 1] ?? 0);
}
