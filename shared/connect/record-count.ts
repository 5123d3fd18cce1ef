import type { ConnectPage } from '../operations/connect/get-connect-page.ts';

/** Returns how many records the customer sets. */
export function recordCount({ dns: { apex } }: Pick<ConnectPage, 'dns'>): number {
  if (apex === null) return 1;
  return apex.a.length + apex.aaaa.length + 1 + (apex.www === undefined ? 0 : 1);
}
