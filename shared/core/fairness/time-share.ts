import type { Instant } from '../instant.ts';

export interface TimeShareRules {
  /** Fraction of time that one party's work may take while other parties are present: 0.25 is a quarter. */
  share: number;
  /** Work of a party that may run at once, before its share applies. */
  burstMs: number;
  /** Longest delay of any work. Work that would wait longer is refused. */
  waitMsMax: number;
  /** Time after its latest request for which a party counts as present. */
  presentMs: number;
}

/** Expected duration of a party's first work. */
const EXPECTED_MS = 10;
const PARTIES_MAX = 10_000;

/**
 * Spreads each party's work over time, so that it takes at most its share. `reserve` plans with the expected duration, and `recordDuration`
 * corrects the plan when the actual one is known. If only one party is present, its work is never delayed.
 */
export class TimeShare {
  readonly #rules: TimeShareRules;
  // The party used last is at the end.
  readonly #parties = new Map<string, Party>();
  /** The two parties that were present most recently, the latest first. */
  #latest: readonly Presence[] = [];

  constructor(rules: TimeShareRules) {
    this.#rules = rules;
  }

  /** Records that a party is present. */
  note(name: string, now: Instant): void {
    this.#latest = [{ name, at: now }, ...this.#latest.filter((other) => other.name !== name).slice(0, 1)];
  }

  /** Reserves time for work. @returns the delay in milliseconds, or null without a reservation if the delay would exceed `waitMsMax`. */
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

  /** Replaces the expected duration of finished work by the actual one, in milliseconds. */
  recordDuration(name: string, tookMs: number, now: Instant): void {
    const party = this.#partyOf(name, now);
    const { burstMs, waitMsMax, share } = this.#rules;
    if (this.#hasCompany(name, now)) {
      // Caps the debt, so that the party never waits longer than `waitMsMax`.
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
  /** When all reserved work would be done if it used exactly the share. */
  dueAt: Instant;
  expectedMs: number;
}

interface Presence {
  name: string;
  at: Instant;
}
