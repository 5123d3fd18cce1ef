import type { Instant } from '../instant.ts';

export interface TimeShareRules {
  /** Fraction of time that one party's work may take while other parties are present, such as 0.25. */
  share: number;
  /** How much work a party may do without a delay before its share limits the party. */
  burstMs: number;
  /** Longest delay of work. Work that would be delayed longer is refused. */
  waitMsMax: number;
  /** For how long after its latest request a party is treated as present. */
  presentMs: number;
}

/** Expected duration of a party's first piece of work. */
const EXPECTED_MS = 10;
const PARTIES_MAX = 10_000;

/**
 * Spreads each party's work over time, so that no party takes more than its share. `reserve` plans with the expected duration of the work,
 * and `recordDuration` corrects the plan once the actual duration is known. If only one party is present, its work is never delayed.
 */
export function createTimeShare({ share, burstMs, waitMsMax, presentMs }: TimeShareRules) {
  // The parties in the order of their last use. The party that was used last is at the end.
  const parties = new Map<string, Party>();
  /** The two parties with the most recent requests, the latest first. */
  let latest: readonly Presence[] = [];

  function hasCompany(name: string, now: Instant): boolean {
    return latest.some((other) => other.name !== name && now - other.at < presentMs);
  }

  function partyOf(name: string, now: Instant): Party {
    const party = parties.get(name) ?? { dueAt: now, expectedMs: EXPECTED_MS };
    parties.delete(name);
    parties.set(name, party);
    const [oldest] = parties.keys();
    if (parties.size > PARTIES_MAX && oldest !== undefined) parties.delete(oldest);
    return party;
  }

  return {
    /** Records that a party is present. */
    note(name: string, now: Instant): void {
      latest = [{ name, at: now }, ...latest.filter((other) => other.name !== name).slice(0, 1)];
    },

    /**
     * Reserves time for work. @returns the delay in milliseconds. If the delay would exceed `waitMsMax`, returns null and reserves nothing.
     */
    reserve(name: string, now: Instant): number | null {
      const party = partyOf(name, now);
      if (!hasCompany(name, now)) return 0;
      const dueAt = Math.max(now, party.dueAt);
      const delayMs = Math.max(0, dueAt - burstMs / share - now);
      if (delayMs > waitMsMax) return null;
      party.dueAt = dueAt + party.expectedMs / share;
      return delayMs;
    },

    /** Replaces the expected duration of finished work by the actual duration, in milliseconds. */
    recordDuration(name: string, tookMs: number, now: Instant): void {
      const party = partyOf(name, now);
      if (hasCompany(name, now)) {
        // Limits how much time is reserved for the party, so that its work never waits longer than `waitMsMax`.
        const latestDueAt = now + burstMs / share + waitMsMax;
        party.dueAt = Math.min(latestDueAt, party.dueAt + (tookMs - party.expectedMs) / share);
      }
      party.expectedMs = 0.8 * party.expectedMs + 0.2 * tookMs;
    },
  };
}

interface Party {
  /** When all reserved work of the party would be done if the party used exactly its share. */
  dueAt: Instant;
  expectedMs: number;
}

interface Presence {
  name: string;
  at: Instant;
}
