import type { Context } from '../context.ts';

/** 0 to 1, without 1: so that what came together does not come together again. */
export function randomShare({ random }: Pick<Context, 'random'>): number {
  return Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
}
