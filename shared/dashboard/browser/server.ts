import type { Server } from './send.ts';

/** The dashboard's own server. */
export const DASHBOARD_SERVER: Server = {
  base: '/dashboard/api',
  name: 'The server',
  unreachableFix: 'Check your connection, then try again.',
};
