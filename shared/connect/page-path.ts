import type { Context } from '../operations/context.ts';

/** A path of the customer's pages. Without a host: whoever came by another name of ours stays there. */
export function pagePath({ settings }: Pick<Context, 'settings'>, ...parts: string[]): string {
  const base_path = new URL(settings.base_url).pathname.replace(/\/$/, '');
  return [base_path, 'connect', ...parts].join('/');
}
