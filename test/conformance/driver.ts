/**
 * The controls that the conformance suite needs in addition to the API: operator commands, and a clock that can be moved. The service must
 * allow receivers and origins on loopback, even over plain HTTP. Nothing else may use the service during the run.
 */
export interface Driver {
  /** The base URL of the API, without `/v1`. */
  base_url: string;
  /** The API keys of the default app, one for each mode. */
  test_key: string;
  live_key: string;
  /** The signing secret of the default app, until the suite rotates the secret. */
  webhook_secret: string;
  /** Changes the account of the default app. Instants are RFC 3339. */
  setAccount(change: Partial<AccountTerms>): Promise<void>;
  /** Creates another account that is 30 days old and has a card on file, with one app. */
  createApp(app: { name: string; plan?: Plan }): Promise<CreatedApp>;
  /**
   * Moves the clock, for example by `72h` or `59s999ms`, and runs all work that becomes due on the way. Resolves once this work has ended,
   * including deliveries.
   */
  advance(by: string): Promise<void>;
  /** Moves the clock until no test domain has a step left and no delivery is due. */
  advanceUntilIdle(): Promise<void>;
  /** Returns the service's time in milliseconds since the epoch. The time stands still between two moves. */
  now(): Promise<number>;
  /** Puts a hold on a hostname, or with `*.name` on all hostnames below the name. */
  hold(hostname: string): Promise<void>;
  release(hostname: string): Promise<void>;
  /** Causes a trigger of the state machine for a domain. */
  trigger(domainId: string, trigger: string, reason?: string): Promise<void>;
  /** Sets the CNAME target that lookups of the app's white-label host return from now on. Checks the host immediately. */
  setWhitelabelFound(appId: string, found: string | null): Promise<void>;
  /** Resets the service to one account with one app: plan `scale`, 30 days old, card on file, no domains. */
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

/** A suite of the contract's tests. `driver` may be called only while a test runs. */
export type Suite = (driver: () => Driver) => void;
