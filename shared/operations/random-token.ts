import type { Context } from './context.ts';

/** 128 random bits for an address that nobody can guess, or a TXT value that nobody can forge. */
export function randomToken({ random }: Pick<Context, 'random'>): string {
  return Buffer.from(random(16)).toString('base64url');
}
