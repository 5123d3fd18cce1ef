import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import os from 'node:os';
import type { Clock } from '../../../shared/ports/system.ts';
import { CommandError } from '../../commands/operator/command-error.ts';
import type { ListenAddress } from '../../settings/setting-kinds.ts';
import type { LineSink, SinkEvents } from './open-access-log.ts';

/** How many messages may wait until the operating system sends them. */
const PENDING_MAX = 1_000;
const CLOSE_MS = 2_000;
/** Facility local7 and severity info (RFC 3164 section 4.1.1), the default of nginx. */
const PRIORITY = 23 * 8 + 6;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Sends each line to a syslog server over UDP, as nginx does (RFC 3164). Looks the host up only once. */
export async function sendToSyslog(
  { host, port }: ListenAddress,
  clock: Clock,
  { onDropped, onFailure }: SinkEvents,
): Promise<LineSink> {
  const { address, family } = await lookup(host).catch((cause: unknown) => {
    throw new CommandError(
      'access_log_unwritable',
      `The syslog server ${host} of the access log cannot be looked up.`,
      'Correct NAMEPLATE_ACCESS_LOG, or name the server by its IP address.',
      cause,
    );
  });
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4').unref();
  socket.on('error', onFailure);
  let pending = 0;
  let closing = false;
  let onSent: (() => void) | null = null;
  return {
    write(line) {
      if (closing || pending >= PENDING_MAX) return onDropped(1);
      pending += 1;
      socket.send(`${syslogHead(clock.now())}${line}`, port, address, (error) => {
        pending -= 1;
        if (error) {
          onDropped(1);
          onFailure(error);
        }
        if (pending === 0) onSent?.();
      });
    },
    async close() {
      closing = true;
      if (pending > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const late = setTimeout(resolve, CLOSE_MS);
        onSent = resolve;
        await promise;
        clearTimeout(late);
      }
      socket.close();
    },
  };
}

/** The tag of our messages. */
export const SYSLOG_TAG = 'nameplate';

/** Returns the syslog header before the line. RFC 3164 requires local time without the year, and the host's name. */
function syslogHead(now: number): string {
  const at = new Date(now);
  const two = (part: number, fill = '0') => String(part).padStart(2, fill);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => two(part)).join(':');
  return `<${PRIORITY}>${MONTHS[at.getMonth()]} ${two(at.getDate(), ' ')} ${time} ${os.hostname()} ${SYSLOG_TAG}: `;
}
