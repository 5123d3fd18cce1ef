import type { Context } from '../operations/context.ts';

/** Returns a path of the customer's pages. It has no host, so that a visitor who came by another of our hostnames stays there. */
export function pagePath({ settings }: Pick<Context, 'settings'>, ...parts: string[]): string {
  const basePath = new URL(settings.baseUrl).pathname.replace(/\/$/, '');
  return [basePath, 'connect', ...parts].join('/');
}
