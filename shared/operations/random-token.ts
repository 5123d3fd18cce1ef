import type { Context } from './context.ts';

/** Returns 128 random bits in base64url, for URLs that must be unguessable and TXT values that must be unforgeable. */
export function randomToken({ random }: Pick<Context, 'random'>): string {
  return Buffer.from(random(16)).toString('base64url');
}
