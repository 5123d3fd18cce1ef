import { plainText } from './plain-text.ts';

/** Describes an emulator's work by kind, such as `2 domain steps, 1 webhook`. Returns an empty string for no work. */
export function workWords(done: Readonly<Record<string, number>>): string {
  const parts = Object.entries(done).map(([kind, count]) => {
    const [one, more] = WORDS[kind] ?? [plainText(kind), plainText(kind)];
    return `${count} ${count === 1 ? one : more}`;
  });
  return parts.join(', ');
}

const WORDS: Readonly<Record<string, readonly [one: string, more: string]>> = {
  advance: ['domain step', 'domain steps'],
  flap: ['DNS flap', 'DNS flaps'],
  issue: ['certificate issued', 'certificates issued'],
  retry: ['certificate retry', 'certificate retries'],
  expire: ['expiry', 'expiries'],
  renew: ['renewal', 'renewals'],
  check_dns: ['DNS check', 'DNS checks'],
  probe_origin: ['origin probe', 'origin probes'],
  check_whitelabel: ['white-label check', 'white-label checks'],
  send_mail: ['email', 'emails'],
  send_account_mail: ['email to an owner', 'emails to owners'],
  trial_mail: ['trial notice', 'trial notices'],
  sync_billing: ['billing update', 'billing updates'],
  dunning: ['payment reminder', 'payment reminders'],
  apply_hold: ['hold applied', 'holds applied'],
  prune: ['cleanup', 'cleanups'],
  deliver: ['webhook', 'webhooks'],
};
