/**
 * What the conformance suite needs of a service beside its API: operator commands and a clock that can be moved. Loopback
 * receivers and origins, plain HTTP included, must be allowed there, and nothing else may use it meanwhile.
 */
export interface Driver {
  /** Without `/v1`. */
  base_url: string;
  /** Keys of the default app. */
  test_key: string;
  live_key: string;
  /** Its signing secret, until it is rotated. */
  webhook_secret: string;
  /** Changes the account of the default app. Instants are RFC 3339. */
  setAccount(change: Partial<AccountTerms>): Promise<void>;
  /** Another account with its app: 30 days old, card on file. */
  createApp(app: { name: string; plan?: Plan }): Promise<CreatedApp>;
  /** Moves the clock, e.g. by `72h` or `59s999ms`, runs all that comes due on the way, and answers when it is done, deliveries included. */
  advance(by: string): Promise<void>;
  /** Moves the clock until no test domain has a step to take and no delivery is due. */
  advanceUntilIdle(): Promise<void>;
  /** The service's time in milliseconds since the epoch. It stands between two moves. */
  now(): Promise<number>;
  /** Holds an exact name, or `*.name` for all below it. */
  hold(hostname: string): Promise<void>;
  release(hostname: string): Promise<void>;
  /** One transition of the state machine by hand. */
  trigger(domain_id: string, trigger: string, reason?: string): Promise<void>;
  /** What the CNAME look-up of the app's white-label host finds from now on; it is checked at once. */
  setWhitelabelFound(app_id: string, found: string | null): Promise<void>;
  /** Back to one account with one app: plan `scale`, 30 days old, card on file, no domains. */
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

/** A suite of the contract's tests, which asks for its driver when a test runs. */
export type Suite = (driver: () => Driver) => void;
