import type { Context } from '../context.ts';

/** Returns a random number from 0 up to, but not including, 1. Spreads out work that would otherwise happen at the same time. */
export function randomShare({ random }: Pick<Context, 'random'>): number {
  return Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
}
