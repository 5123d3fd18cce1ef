/** Reads a body of a request or a response into memory. Returns null if it has more than `maxBytes`, and then reads no further. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Returns true for a status with which the constructor of `Response` refuses a body. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
