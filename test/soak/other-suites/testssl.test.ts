import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { edgeWith, NODE_ENGINE, originWith, route, runOn } from '../../edge/edge-under-test.ts';
import { NGINX_ENGINE, NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { certificatesFor } from '../../edge/tls/certificates-under-test.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';

const ca = createThrowawayCa();
const folder = mkdtempSync(join(tmpdir(), 'testssl-'));
afterAll(() => {
  ca[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

/** Findings about the throwaway certificate, about DNS, or about the origin's own headers. The edge does not control these. */
const NOT_OF_THE_EDGE = new Set([
  'cert_expirationStatus',
  'cert_notAfter',
  'cert_revocation',
  'DNS_CAArecord',
  'security_headers',
  // Debian's OpenSSL lacks the engine of the GOST ciphers, which the edge does not have.
  'engine_problem',
  // testssl.sh tries to renegotiate, which the edge refuses.
  'secure_renego',
]);

interface Finding {
  id: string;
  severity: string;
  finding: string;
}

const ENGINES = [NODE_ENGINE, ...(whyMissing(NGINX_PACKAGES) === null ? [NGINX_ENGINE] : [])].map(
  (engine) => [engine.name, engine] as const,
);
const installed = isInstalled();
if (!installed) console.error('SKIPPED testssl: it is not installed (Debian: testssl.sh)');

it.skipIf(!installed).each(ENGINES)(
  'testssl.sh finds no weakness in the edge on %s',
  async (_name, engine) => {
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
    const run = spawn('testssl', [...options, `localhost:${edge.port}`], { cwd: folder, stdio: 'ignore' });
    await once(run, 'close');
    const findings = JSON.parse(readFileSync(report, 'utf8')) as Finding[];
    expect(findings.length).toBeGreaterThan(100);
    const worse = findings.filter(
      ({ id, severity }) => severity !== 'OK' && severity !== 'INFO' && !NOT_OF_THE_EDGE.has(id),
    );
    expect(worse).toEqual([]);
  },
);

function isInstalled(): boolean {
  try {
    execFileSync('testssl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
