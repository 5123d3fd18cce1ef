import { frameWriter, PREFACE, SETTINGS } from '../edge/wire/raw-http2.ts';
import type { Dice } from './dice.ts';
import { goaway } from './http2-pieces.ts';
import type { Ending, PortName, Script, Write } from './script.ts';
import { rightOffer } from './tls-pieces.ts';

/** An attack that once crashed a process. The tests send it with several timings. */
export interface KnownAttack {
  title: string;
  ports: readonly PortName[];
  script(port: PortName, dice: Dice, host: string): Script;
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const BARE_GET = 'GET / HTTP/1.1\r\n\r\n';
const UPGRADE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
const CONNECT = 'CONNECT a:1 HTTP/1.1\r\n\r\n';
const GARBAGE = 'no HTTP at all\r\n\r\n';
const CHECK = 'POST /connect/AAAA/check HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc';
/** Requests that get a response immediately, after a database query, or only after the whole body. */
const QUICK_AND_SLOW = [
  BARE_GET,
  GET,
  CHECK,
  CHECK.replace('Host: x\r\n', ''),
  GET.replace('/', '/v1/domains'),
];
const ENDINGS: readonly Ending[] = ['reset', 'resetOnResponse', 'end', 'linger'];

export const KNOWN_ATTACKS: readonly KnownAttack[] = [
  {
    title: 'a lone CONNECT and a reset',
    ports: ['edgeHttp', 'edge', 'api'],
    script: (port, dice, host) =>
      conversation(port, dice, host, [CONNECT], dice.pick(['reset', 'resetOnResponse'])),
  },
  {
    title: 'an upgrade in the packet of another request',
    ports: ['edgeHttp', 'edge'],
    script: (port, dice, host) => conversation(port, dice, host, [GET, UPGRADE], dice.pick(ENDINGS)),
  },
  {
    title: 'GOAWAY and a connection that is held',
    ports: ['edge'],
    script: (port, dice, host) => ({
      title: 'GOAWAY and a connection that is held',
      port,
      tls: rightOffer(host, 'h2'),
      writes: timed(dice, goodbye(dice)),
      ending: 'hold',
      deaf: false,
    }),
  },
  {
    title: 'a pipeline of the API that ends in a CONNECT',
    ports: ['api'],
    script: (port, dice, host) => {
      const others = Array.from({ length: 2 + dice.below(4) }, () => dice.pick(QUICK_AND_SLOW));
      const before = dice.chance(0.3) ? [BARE_GET, CHECK, BARE_GET] : others;
      return conversation(port, dice, host, [...before, dice.pick([CONNECT, GARBAGE])], dice.pick(ENDINGS));
    },
  },
];

function conversation(
  port: PortName,
  dice: Dice,
  host: string,
  pieces: readonly string[],
  ending: Ending,
): Script {
  return {
    title: pieces.map((each) => each.split('\r\n', 1)[0]).join(', '),
    port,
    tls: port === 'edge' ? rightOffer(host, 'http/1.1') : null,
    writes: timed(
      dice,
      pieces.map((each) => Buffer.from(each.replaceAll('Host: x', `Host: ${dice.pick(['x', host])}`))),
    ),
    ending,
    deaf: false,
  };
}

/** Returns frames that end with GOAWAY and NO_ERROR: the visitor has no more requests. */
function goodbye(dice: Dice): Buffer[] {
  const writes: Buffer[] = [PREFACE];
  const to = frameWriter((bytes) => writes.push(bytes));
  to.frame({ type: SETTINGS });
  to.frame(goaway(dice, Buffer.alloc(4)));
  return writes;
}

/** Returns the writes that send the pieces in one packet, in one tick, or one after the other. */
export function timed(dice: Dice, pieces: readonly Buffer[]): Write[] {
  const way = dice.pick(['packet', 'packet', 'tick', 'pauses'] as const);
  if (way === 'packet') return [{ bytes: Buffer.concat(pieces), pauseMs: dice.pick([null, 0, 2]) }];
  return pieces.map((bytes) => ({ bytes, pauseMs: way === 'tick' ? null : dice.below(4) }));
}
