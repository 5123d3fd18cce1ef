import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  makePathToken,
  type PathKeys,
  PROBE_COOKIE,
  probeHeader,
  readReceipt,
  wellKnownPath,
} from '../../../shared/core/public-path/path-receipt.ts';
import { pathReceipts } from '../../../shared/edge/routing/path-receipts.ts';
import { clock, edgeWith, HOST, NAMES, originWith, route } from '../edge-under-test.ts';
import { send } from '../wire/raw-visitor.ts';

const KEYS: PathKeys = [randomBytes(32)];

describe('a probe of the public path to the edge is answered', () => {
  it('gets a receipt with everything that reached the edge', async () => {
    await using origin = await originWith((_, response) => response.end('origin'));
    await using edge = await edgeWith(
      { [HOST]: route(origin.url) },
      { pathReceipts: pathReceipts(KEYS, NAMES, clock) },
    );
    const token = makePathToken(KEYS, clock.now(), randomBytes(12));
    const path = wellKnownPath(NAMES, token);
    const visit = (target: string, headers = '') =>
      send(edge.port, `GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\n${headers}\r\n`);
    const whole = await visit(
      path,
      `${probeHeader(NAMES)}: ${token}\r\nCookie: a=b; ${PROBE_COOKIE}=${token}\r\n`,
    );
    expect(readReceipt(KEYS, whole.body)).toMatchObject({
      token,
      host: HOST,
      path,
      scheme: 'http',
      cookie: true,
      header: true,
    });
    expect(readReceipt(KEYS, (await visit(path)).body)).toMatchObject({ cookie: false, header: false });
    expect((await visit('/', `${probeHeader(NAMES)}: ${token}\r\n`)).body).not.toBe('origin');
    expect((await visit(path.replace(token, token.toUpperCase()))).body).toBe('origin');
  });
});
