import { expect, test } from 'vitest';
import { pause } from '../../shared/ports/system.ts';
import { edgeWith, NODE_ENGINE, originWith, route, runOn } from '../edge/edge-under-test.ts';
import { NGINX_ENGINE } from '../edge/nginx/nginx-engine.ts';
import { certificateFor } from '../edge/tls/certificates-under-test.ts';
import { tally, visitAtOnce } from '../edge/wire/visitors-at-once.ts';
import { createThrowawayCa } from '../fixtures/acme/throwaway-ca.ts';

const AT_ONCE = 1_000;
/** The timeouts are long, because a busy machine may need longer for a thousand handshakes than the usual limits for a visitor. */
const PATIENT = {
  handshake_timeout_ms: 120_000,
  headers_timeout_ms: 120_000,
  certificate_wait_ms: 120_000,
  origin_queue_ms: 120_000,
};

test.each([NODE_ENGINE, NGINX_ENGINE])('$name serves a thousand first visits at once', async (engine) => {
  runOn(engine);
  await using origin = await originWith((_, res) => res.end());
  using ca = createThrowawayCa();
  const certificate = certificateFor(ca, '*.acme.com');
  const certificates = {
    async findCertificate(hostname: string) {
      await pause(20);
      return { ...certificate, serial: hostname };
    },
  };
  await using edge = await edgeWith(
    {},
    {
      scheme: 'https',
      tls: { certificates },
      limits: PATIENT,
      async findRoute(hostname) {
        await pause(20);
        return route(origin.url, { hostname });
      },
    },
  );
  const names = Array.from({ length: AT_ONCE }, (_, n) => `careers-${n}.acme.com`);
  const visits = names.map((name) => ({ hostname: name, path: '/', servername: name }));
  const startedAt = performance.now();
  const answers = await visitAtOnce(edge.port, visits);
  console.log(`${AT_ONCE} first visits in ${Math.round(performance.now() - startedAt)} ms`);
  expect(tally(answers)).toEqual({ 200: AT_ONCE });
});
