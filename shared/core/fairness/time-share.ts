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
export function createTimeShare({ share, burstMs, waitMsMax, presentMs }: TimeShareRules) {
  // The party used last is at the end.
  const parties = new Map<string, Party>();
  /** The two parties that were present most recently, the latest first. */
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

    /** Reserves time for work. @returns the delay in milliseconds, or null without a reservation if the delay would exceed `waitMsMax`. */
    reserve(name: string, now: Instant): number | null {
      const party = partyOf(name, now);
      if (!hasCompany(name, now)) return 0;
      const dueAt = Math.max(now, party.dueAt);
      const delayMs = Math.max(0, dueAt - burstMs / share - now);
      if (delayMs > waitMsMax) return null;
      party.dueAt = dueAt + party.expectedMs / share;
      return delayMs;
    },

    /** Replaces the expected duration of finished work by the actual one, in milliseconds. */
    recordDuration(name: string, tookMs: number, now: Instant): void {
      const party = partyOf(name, now);
      if (hasCompany(name, now)) {
        // Caps the debt, so that the party never waits longer than `waitMsMax`.
        const latestDueAt = now + burstMs / share + waitMsMax;
        party.dueAt = Math.min(latestDueAt, party.dueAt + (tookMs - party.expectedMs) / share);
      }
      party.expectedMs = 0.8 * party.expectedMs + 0.2 * tookMs;
    },
  };
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
