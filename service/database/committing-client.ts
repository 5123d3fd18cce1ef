import pg from 'pg';
import { CommitUnknown } from '../../shared/store/unavailable.ts';
import { createStatementNames } from './statement-names.ts';
import type { WaitingCommits } from './waiting-commits.ts';

const BEGIN = /^(?:begin|start)\b/;
const READ = /^\s*select\b/i;
const BEGUN = { command: 'BEGIN', rows: [] };
const CHANGE = /^\s*(?:insert|update|delete|merge|with)\b/i;
const IGNORE = () => undefined;
/** The Postgres routine that warns about a canceled wait for a standby. The routine's name identifies the warning in every language. */
const CANCELED_IN = 'SyncRepWaitForLSN';
/** Error codes after which a COMMIT may still have taken effect, because the server or a pooler has lost the session. */
const IN_DOUBT = /^(?:08|53|57|58|XX|25P03|40003)/;
/** The Postgres routine that refuses a prepared statement after the columns of its result have changed. */
const STALE_IN = 'RevalidateCachedQuery';
/** The names of the prepared statements, for all connections of this process. */
const NAMES = createStatementNames();

/**
 * A Postgres client that commits every change with an explicit COMMIT. With `commits`, no COMMIT waits forever (`decisions/0088`). On each
 * connection, the client prepares statements that are sent often (`decisions/0093`). To save a round trip, it sends `BEGIN` together with
 * the first reads of the transaction. Other statements wait for the response to `BEGIN`, because without a transaction they would take
 * effect immediately.
 */
export class CommittingClient extends pg.Client {
  readonly #commits: WaitingCommits | undefined;
  #transaction: 'none' | 'begun' | 'changed' | 'refused' = 'none';
  /** Settles with the response to BEGIN. Null if the client is not waiting for this response. */
  #begun: Promise<void> | null = null;
  /** True once a statement waits for BEGIN. Later statements then wait too, so that all run in order. */
  #isBeginAwaited = false;
  /** Settles with the result of the last change in the transaction. */
  #changed: Promise<pg.QueryResult | undefined> = Promise.resolve(undefined);
  #brokenBy: Error | null = null;
  #isCanceled = false;
  /**
   * True if the client is connected to Postgres directly. A pooler may run each transaction in another session, without the prepared
   * statements.
   */
  #isDirect = false;
  /** The Postgres process id that the server announced on connect. The driver's types lack this property. */
  declare processID?: number;

  /** @param config.commits tracks the waiting commits of the node. If absent, a COMMIT has only the statement timeout. */
  constructor(config: pg.ClientConfig & { commits?: WaitingCommits | undefined } = {}) {
    super(config);
    this.#commits = config.commits;
    // Without a listener, a connection that breaks between two statements would end the process.
    this.on('error', (error) => {
      this.#brokenBy ??= error;
    });
    this.on('notice', (notice) => {
      if (notice.routine === CANCELED_IN) this.#isCanceled = true;
    });
    this.once('connect', () => {
      // A pooler announces a process id of its own, which differs from the id of the session in Postgres.
      this.#send(['select pg_backend_pid() as pid']).then(({ rows }: pg.QueryResult) => {
        this.#isDirect = rows[0].pid === this.processID;
      }, IGNORE);
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the base class.
  override query(...args: any[]): any {
    const [text, , callback] = args;
    if (typeof text !== 'string' || callback !== undefined) return this.#send(args);
    // Reject with the error that broke the connection, because the driver's own error would say only that the connection is not queryable.
    if (this.#brokenBy !== null) return Promise.reject(this.#brokenBy);
    if (BEGIN.test(text)) return this.#begin(args);
    if (this.#begun !== null) return this.#beforeBegun(this.#begun, args);
    if (text === 'commit') return this.#commit();
    if (text === 'rollback') this.#transaction = 'none';
    const send = () => (CHANGE.test(text) ? this.#change(args) : this.#send(args));
    if (this.#transaction !== 'none') return send();
    return send().catch((error: unknown) => {
      if (isStale(error)) return send();
      throw error;
    });
  }

  /** Sends BEGIN without waiting for the response. If BEGIN fails, every later statement fails too, and the pool closes the connection. */
  async #begin(args: unknown[]): Promise<unknown> {
    this.#transaction = 'begun';
    this.#isBeginAwaited = false;
    const begun: Promise<void> = this.#send(args).then(
      () => {
        this.#begun = null;
      },
      (error: Error) => {
        this.#brokenBy ??= error;
        throw error;
      },
    );
    begun.catch(IGNORE);
    this.#begun = begun;
    return BEGUN;
  }

  async #beforeBegun(begun: Promise<void>, args: unknown[]): Promise<unknown> {
    if (READ.test(String(args[0])) && !this.#isBeginAwaited)
      return (await Promise.all([this.#send(args), begun]))[0];
    this.#isBeginAwaited = true;
    await begun;
    return Reflect.apply(this.query, this, args);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the base class.
  #send(args: any[]): any {
    const [text, values] = args;
    const name = this.#isDirect && values?.length > 0 ? NAMES.of(text) : undefined;
    if (name === undefined) return Reflect.apply(super.query, this, args);
    return super.query({ name, text, values }).catch((error: unknown) => {
      if (isStale(error)) NAMES.renew();
      throw error;
    });
  }

  #change(args: unknown[]): Promise<pg.QueryResult> {
    if (this.#transaction === 'refused' || this.#commits?.areFull === true) {
      // Mark the transaction as refused, so that a COMMIT right after this change does not commit the transaction's other changes.
      if (this.#transaction !== 'none') this.#transaction = 'refused';
      return Promise.reject(refusal());
    }
    const isAlone = this.#transaction === 'none';
    if (isAlone) this.#send(['begin']).catch(IGNORE);
    this.#transaction = 'changed';
    const changed = this.#send(args);
    this.#changed = changed;
    return isAlone ? this.#commit(changed) : changed;
  }

  /**
   * Sends COMMIT.
   * @param changed the result of a change that was sent right before the COMMIT, without waiting for its response. Null if there is none.
   * @returns the result of `changed`, or the response to COMMIT if `changed` is null.
   * @throws CommitUnknown if the change may have been committed.
   */
  async #commit(changed: Promise<pg.QueryResult> | null = null): Promise<pg.QueryResult> {
    if (this.#transaction === 'refused') throw refusal();
    const hasChanged = this.#transaction === 'changed';
    this.#transaction = 'none';
    this.#isCanceled = false;
    const committed: Promise<pg.QueryResult> = this.#send(['commit']);
    committed.catch(IGNORE);
    let inDoubt = /^08/;
    try {
      // Wait for the changes first, because the time that they wait for locks is not part of the COMMIT.
      const result = await (changed ?? this.#changed.catch(() => undefined));
      inDoubt = IN_DOUBT;
      const response = await (this.#commits?.wait(committed, this) ?? committed);
      if (this.#isCanceled) throw new Error('the wait for a standby was canceled');
      return result ?? response;
    } catch (error) {
      // Only an error from the database server proves that nothing was committed.
      const isKnown = error instanceof pg.DatabaseError && !inDoubt.test(error.code ?? '');
      throw isKnown || !hasChanged ? error : new CommitUnknown({ cause: error });
    }
  }
}

/**
 * Returns true if a statement failed because a migration has changed its table since the connection prepared it. In this case, sets the
 * error's code to a serialization failure, so that the transaction is run again. The failed statement has changed nothing.
 */
function isStale(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.routine !== STALE_IN) return false;
  error.code = '40001';
  return true;
}

/** Returns the error of a change that is refused while earlier changes wait for their commit. 53000 is insufficient_resources. */
function refusal(): Error {
  return Object.assign(new Error('the database does not commit, so the change was not begun'), {
    code: '53000',
  });
}
