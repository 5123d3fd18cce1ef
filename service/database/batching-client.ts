import pg from 'pg';

/**
 * A client that sends the statements of one tick in one write. The driver writes each statement separately, and a write costs a node more
 * time than anything else that it does for a statement.
 */
export class BatchingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the base class.
  override query(...args: any[]): any {
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    return Reflect.apply(super.query, this, args);
  }
}
