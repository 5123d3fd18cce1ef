import { isLocalhostName, isLoopbackHost } from '../../shared/core/net/address.ts';
import { usageError } from '../runtime/cli-error.ts';

/**
 * Reads the address that events are forwarded to: `3000`, `3000/webhooks`, `localhost:3000/webhooks` or a whole URL.
 * An address on another machine needs `allow_remote`, because event bodies name customers.
 *
 * @throws CliError `usage`
 */
export function forwardTarget(text: string, allowRemote: boolean): URL {
  const address = /^\d{1,5}([/?]|$)/.test(text)
    ? `http://localhost:${text}`
    : text.includes('://')
      ? text
      : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw usageError(
      '--forward-to is not an http or https address.',
      'Give an address such as http://127.0.0.1:3000/webhooks.',
    );
  }
  if (allowRemote || isLocal(url)) return url;
  throw usageError(
    `${url.hostname} is not an address of this machine.`,
    'Forward to 127.0.0.1, localhost or [::1], or add --allow-remote if events may leave this machine.',
  );
}

/** Returns true for an address of this machine. Decides by name, because a DNS result may change later. */
export function isLocal({ hostname }: URL): boolean {
  return isLoopbackHost(hostname) || isLocalhostName(hostname);
}
