export type DecodedText = { ok: true; text: string } | { ok: false; problem: string };

/**
 * Decodes a text file that must be UTF-8. By default, decoders replace invalid bytes with U+FFFD, and we would store the replacement.
 * @returns the text without a byte order mark, or a clause that follows the file's name and says what is wrong.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  // Without a byte order mark, UTF-16 is recognized by its zero bytes: every ASCII character has one.
  if (isUtf16 || bytes.includes(0)) return { ok: false, problem: 'is UTF-16 or not text: save it as UTF-8' };
  try {
    return { ok: true, text: decode(bytes) };
  } catch {
    return { ok: false, problem: `is not UTF-8 on line ${wrongLine(bytes)}: save it as UTF-8` };
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Returns the number of the first line that is not UTF-8. The byte of a line end is never part of another character. */
function wrongLine(bytes: Uint8Array): number {
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    try {
      decode(bytes.subarray(start, end === -1 ? bytes.length : end));
    } catch {
      return line;
    }
    if (end === -1) return line;
    start = end + 1;
  }
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Formats a number of bytes for people, with three digits: `999 B`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
