/**
 * The means that the conformance suite needs of a service in addition to its API: operator commands, and a clock that can be moved. The service must
 * allow receivers and origins on loopback, even over plain HTTP, and nothing else may use it during the run.
 */
export interface Driver {
  /** Base URL without `/v1`. */
  base_url: string;
  /** Keys of the default app. */
  test_key: string;
  live_key: string;
  /** Signing secret of the default app, until the suite rotates it. */
  webhook_secret: string;
  /** Changes the account of the default app. Instants are RFC 3339. */
  setAccount(change: Partial<AccountTerms>): Promise<void>;
  /** Creates another account with its app: 30 days old, with a card on file. */
  createApp(app: { name: string; plan?: Plan }): Promise<CreatedApp>;
  /**
   * Moves the clock, for example by `72h` or `59s999ms`, and runs all work that comes due on the way. Resolves once it is done, including
   * deliveries.
   */
  advance(by: string): Promise<void>;
  /** Moves the clock until no test domain has a step left and no delivery is due. */
  advanceUntilIdle(): Promise<void>;
  /** Returns the service's time in milliseconds since the epoch. The time stands still between two moves. */
  now(): Promise<number>;
  /** Holds an exact name, or all names below it with `*.name`. */
  hold(hostname: string): Promise<void>;
  release(hostname: string): Promise<void>;
  /** Runs one transition of the state machine. */
  trigger(domainId: string, trigger: string, reason?: string): Promise<void>;
  /** Sets the CNAME record that lookups of the app's white-label host return from now on, and checks the host at once. */
  setWhitelabelFound(appId: string, found: string | null): Promise<void>;
  /** Resets to one account with one app: plan `scale`, 30 days old, card on file, no domains. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export type Plan = 'free' | 'growth' | 'scale' | 'enterprise';

export interface AccountTerms {
  plan: Plan;
  trial_ends_at: string | null;
  promotional: boolean;
  card_on_file: boolean;
  suspended: boolean;
  created_at: string;
}

export interface CreatedApp {
  app_id: string;
  test_key: string;
  live_key: string;
}

/** A suite of the contract's tests. It gets its driver only when a test runs. */
export type Suite = (driver: () => Driver) => void;
