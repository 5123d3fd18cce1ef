import type { Instant } from '../../shared/core/instant.ts';
import type { Mail, Mailer } from '../../shared/ports/accounts.ts';
import type { Clock } from '../../shared/ports/system.ts';

const KEPT_MAX = 1000;

/** A kept mail, without its HTML part, which has the same words as its text. */
export interface CapturedMail extends Omit<Mail, 'html'> {
  at: Instant;
}

/** A mailer that keeps the newest mails instead of sending them. */
export interface CapturedMails extends Mailer {
  /** Returns the kept mails, newest first. */
  list(): CapturedMail[];
  clear(): void;
}

export function createCapturedMails(clock: Clock): CapturedMails {
  let kept: CapturedMail[] = [];
  return {
    async send({ html: _, ...mail }) {
      kept = [{ at: clock.now(), ...mail }, ...kept].slice(0, KEPT_MAX);
      return 'sent';
    },
    list: () => kept,
    clear() {
      kept = [];
    },
  };
}
