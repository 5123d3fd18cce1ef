/** SQLSTATE classes and codes (Postgres, appendix A) that say "not now": connection, resources, operator's intervention, time-outs. */
const SQLSTATE = /^(?:08...|53...|57014|25006|57P0[0-9]|55P03|40001|40P01)$/;
/** What the socket says where there is no server. */
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** What the driver and its pool say, in words only: a connection that breaks within a transaction fails its rollback as well. */
const WORDS =
  /Connection terminated|is not queryable|timeout expired|timeout exceeded when trying to connect|Query read timeout/;

/** Whether a query failed because the database is not there, or too busy: the same request may succeed in a moment. */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return SQLSTATE.test(code) || SOCKET.has(code) || WORDS.test(error.message);
}
