import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { edgeWith, NODE_ENGINE, originWith, route, runOn } from '../../edge/edge-under-test.ts';
import { NGINX_ENGINE, NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { certificatesFor } from '../../edge/tls/certificates-under-test.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { conclude, type Excuses } from './conclude.ts';

/** Runs testssl.sh on both engines of the edge. A result worse than INFO is a finding. */
const TESTSSL = '/usr/bin/testssl';
const THROWAWAY = 'The certificate of this test is from a throwaway authority.';
const EXCUSES: Excuses = {
  cert_expirationStatus: THROWAWAY,
  cert_notAfter: THROWAWAY,
  cert_revocation: THROWAWAY,
  DNS_CAArecord: 'The hostname of this test, localhost, has no CAA record.',
  security_headers: 'The headers are those of the origin, which sends none here.',
  engine_problem: "Debian's OpenSSL lacks the engine of the GOST ciphers, which the edge does not have.",
  secure_renego: 'testssl.sh tries to renegotiate, which the edge refuses.',
};

interface Result {
  id: string;
  severity: string;
}

const missing = whyMissing({
  packages: ['testssl.sh', ...NGINX_PACKAGES.packages],
  programs: [TESTSSL, ...NGINX_PACKAGES.programs],
});

describeUnlessMissing(missing, 'testssl.sh', () => {
  const ca = createThrowawayCa();
  const folder = mkdtempSync(join(tmpdir(), 'testssl-'));
  afterAll(() => {
    ca[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['the built-in engine', NODE_ENGINE],
    ['nginx', NGINX_ENGINE],
  ])('testssl.sh finds no weakness in the edge on %s', async (name, engine) => {
    runOn(engine);
    await using origin = await originWith((_req, res) => {
      res.setHeader('Strict-Transport-Security', 'max-age=31536000');
      res.end('hello');
    });
    const certificates = certificatesFor(ca, 'localhost');
    await using edge = await edgeWith(
      { localhost: route(origin.url) },
      { scheme: 'https', tls: { certificates } },
    );
    const [root, report] = [join(folder, 'ca.pem'), join(folder, `${engine.name}.json`)];
    writeFileSync(root, ca.certificate);
    const options = [
      '--quiet',
      '--warnings=off',
      '--ip=127.0.0.1',
      `--add-ca=${root}`,
      `--jsonfile=${report}`,
    ];
    const run = spawn(TESTSSL, [...options, `localhost:${edge.port}`], { cwd: folder, stdio: 'ignore' });
    await once(run, 'close');
    const results = JSON.parse(readFileSync(report, 'utf8')) as Result[];
    expect(results.length).toBeGreaterThan(100);
    const found = results.filter((result) => !/^(?:OK|INFO)$/.test(result.severity) && !isTooLate(result));
    const ids = found.map(({ id }) => id);
    conclude(`testssl.sh on ${name}`, `${results.length} results`, ids, EXCUSES);
  });
});

/**
 * Returns whether testssl.sh disconnected before the session ticket of TLS 1.3 arrived, as happens on a busy machine.
 * `test/edge/tls/edge-tls-sessions.test.ts` checks the tickets.
 */
function isTooLate({ id, severity }: Result): boolean {
  return id === 'sessionresumption_ticket' && severity === 'WARN';
}
