import { plainText } from './plain-text.ts';

/** What an emulator has done, by kind, in words: `2 steps of domains, 1 webhook`. Empty for nothing. */
export function workWords(done: Readonly<Record<string, number>>): string {
  const parts = Object.entries(done).map(([kind, count]) => {
    const [one, more] = WORDS[kind] ?? [plainText(kind), plainText(kind)];
    return `${count} ${count === 1 ? one : more}`;
  });
  return parts.join(', ');
}

const WORDS: Readonly<Record<string, readonly [one: string, more: string]>> = {
  advance: ['step of a domain', 'steps of domains'],
  flap: ['flap of DNS', 'flaps of DNS'],
  issue: ['certificate issued', 'certificates issued'],
  retry: ['retry of a certificate', 'retries of certificates'],
  expire: ['end of a window', 'ends of windows'],
  renew: ['renewal', 'renewals'],
  check_dns: ['DNS check', 'DNS checks'],
  probe_origin: ['probe of an origin', 'probes of origins'],
  check_whitelabel: ['check of a white-label host', 'checks of white-label hosts'],
  send_mail: ['mail', 'mails'],
  apply_hold: ['hold applied', 'holds applied'],
  prune: ['clean-up', 'clean-ups'],
  deliver: ['webhook', 'webhooks'],
};
