/**
 * Returns the size of a PNG or SVG picture, so that a page keeps room for it.
 * @throws Error if the picture does not state its size.
 */
export function imageSize(picture: Buffer): { width: number; height: number } {
  if (picture.subarray(1, 4).toString('latin1') === 'PNG') {
    return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
  }
  const [, width, height] = /\bviewBox="0 0 (\d+) (\d+)"/.exec(picture.toString('utf8')) ?? [];
  if (width === undefined || height === undefined) {
    throw new Error('a picture of the docs must be a PNG, or an SVG whose viewBox begins at 0 0');
  }
  return { width: Number(width), height: Number(height) };
}
