import { ControlError } from './control-error.ts';

/**
 * Keeps a web page in the developer's browser out (`docs/emulator.md`): only a Host of our own is served (DNS
 * rebinding), and a request that a page of another origin makes is refused.
 * @throws ControlError 421 or 403.
 */
export function guardBrowser(headers: Headers, port: number): void {
  const ours = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`);
  const host = headers.get('host')?.toLowerCase() ?? '';
  if (!ours.includes(host)) {
    throw new ControlError(421, 'misdirected_request', {
      message: 'This Host is not served here.',
      fix: `Use http://${ours[0]} or http://${ours[1]}.`,
    });
  }
  const origin = headers.get('origin');
  // A form of a page that sends no referrer, as the connect page, has no origin to tell: the browser's own word counts then.
  if (origin === 'null' && headers.get('sec-fetch-site') === 'same-origin') return;
  if (origin !== null && !ours.some((each) => origin.toLowerCase() === `http://${each}`)) {
    throw new ControlError(403, 'forbidden', {
      message: 'Pages of another origin may not use the emulator.',
      fix: 'Call it from a program, or from a page that the emulator serves.',
    });
  }
}
