/** SQLSTATE classes and codes (Postgres, appendix A) of temporary failures: connection, resources, operator intervention, timeouts. */
const SQLSTATE = /^(?:08...|53...|57014|25006|25P03|57P0[0-9]|55P03|40001|40P01)$/;
/** Socket errors that mean that the server cannot be reached. */
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
/**
 * Messages of errors that the driver and its pool throw without a code. One such message appears when a connection broke during a
 * transaction, so that the rollback fails.
 */
const WORDS =
  /Connection terminated|is not queryable|timeout expired|timeout exceeded when trying to connect|Query read timeout/;

/** Returns whether a query failed because the database is unreachable or too busy. If so, the same request may succeed in a moment. */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return SQLSTATE.test(code) || SOCKET.has(code) || WORDS.test(error.message);
}

/** Thrown if it is unknown whether a change was committed. Its code, 08007, is transaction_resolution_unknown. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown';
  readonly code = '08007';

  constructor(options: ErrorOptions) {
    super('the database has not confirmed a change, which may have been saved', options);
  }
}
