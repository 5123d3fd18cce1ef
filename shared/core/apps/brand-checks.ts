const LOGO = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/;
const LOGO_BYTES_MAX = 32 * 1024;
const LOGO_PIXELS_MAX = 1024;
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Returns the problem of a logo; null if the page can show it. Only PNG is accepted: it holds no script and no link, and says in its first
 * bytes how large the image becomes.
 */
export function logoProblem(logo: string): string | null {
  const text = LOGO.exec(logo)?.[1];
  if (text === undefined) return 'must be a PNG as data:image/png;base64,…';
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > LOGO_BYTES_MAX) return 'must have at most 32 KiB';
  const isPng = bytes.length > 24 && bytes.subarray(0, 8).equals(PNG_START);
  if (!isPng || bytes.subarray(12, 16).toString('latin1') !== 'IHDR') return 'is not a PNG';
  const sides = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (sides.some((side) => side === 0 || side > LOGO_PIXELS_MAX)) {
    return 'must be at most 1024 pixels wide and high';
  }
  return null;
}

/** Returns the problem of a link that a customer follows; null if it is safe to show. */
export function linkProblem(link: string, options: { mail: boolean }): string | null {
  const expected = options.mail ? 'must be an https URL, or mailto: with an address' : 'must be an https URL';
  if (/[\p{Cc}\p{Cf}\p{Cs}\s"<>\\]/u.test(link) || !URL.canParse(link)) return expected;
  const { protocol, username, password, pathname } = new URL(link);
  if (options.mail && protocol === 'mailto:') return /^[^@,]+@[^@,]+$/.test(pathname) ? null : expected;
  return protocol === 'https:' && username === '' && password === '' ? null : expected;
}
