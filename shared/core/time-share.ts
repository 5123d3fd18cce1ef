import type { Instant } from './instant.ts';

export interface TimeShareRules {
  /** Of the time that passes, what the work of one party may take while others are there: 0.25 is a quarter. */
  share: number;
  /** Work that may be done at once. */
  burstMs: number;
  /** Longer than this no work waits. */
  waitMsMax: number;
  /** For so long after its latest request a party counts as there. */
  presentMs: number;
}

/** What work is expected to take before a party has done any. */
const EXPECTED_MS = 10;
const PARTIES_MAX = 10_000;

/**
 * Spreads the work of each party over time, so that it takes no more than its share of it. Work is reserved with what it usually takes, and
 * settled with what it took. A party that is alone has all the time there is.
 */
export class TimeShare {
  readonly #rules: TimeShareRules;
  // In the order of their last use.
  readonly #parties = new Map<string, Party>();
  /** The two parties that were there last, the latest first. */
  #latest: readonly Presence[] = [];

  constructor(rules: TimeShareRules) {
    this.#rules = rules;
  }

  /** Notes that a party is there. */
  note(name: string, now: Instant): void {
    this.#latest = [{ name, at: now }, ...this.#latest.filter((other) => other.name !== name).slice(0, 1)];
  }

  /** @returns for how long the work should wait; null if that is too long, and nothing is reserved then. */
  reserve(name: string, now: Instant): number | null {
    const party = this.#partyOf(name, now);
    if (!this.#hasCompany(name, now)) return 0;
    const { burstMs, waitMsMax, share } = this.#rules;
    const dueAt = Math.max(now, party.dueAt);
    const delayMs = Math.max(0, dueAt - burstMs / share - now);
    if (delayMs > waitMsMax) return null;
    party.dueAt = dueAt + party.expectedMs / share;
    return delayMs;
  }

  settle(name: string, tookMs: number, now: Instant): void {
    const party = this.#partyOf(name, now);
    const { burstMs, waitMsMax, share } = this.#rules;
    if (this.#hasCompany(name, now)) {
      // Beyond the longest wait, what it owes is forgiven.
      const latest = now + burstMs / share + waitMsMax;
      party.dueAt = Math.min(latest, party.dueAt + (tookMs - party.expectedMs) / share);
    }
    party.expectedMs = 0.8 * party.expectedMs + 0.2 * tookMs;
  }

  #hasCompany(name: string, now: Instant): boolean {
    return this.#latest.some((other) => other.name !== name && now - other.at < this.#rules.presentMs);
  }

  #partyOf(name: string, now: Instant): Party {
    const party = this.#parties.get(name) ?? { dueAt: now, expectedMs: EXPECTED_MS };
    this.#parties.delete(name);
    this.#parties.set(name, party);
    const [oldest] = this.#parties.keys();
    if (this.#parties.size > PARTIES_MAX && oldest !== undefined) this.#parties.delete(oldest);
    return party;
  }
}

interface Party {
  /** When all that is reserved would be done, at the pace of the share. */
  dueAt: Instant;
  expectedMs: number;
}

interface Presence {
  name: string;
  at: Instant;
}
