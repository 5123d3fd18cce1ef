import { acmeServer } from '../../fixtures/acme/acme-server.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';

/** A program that runs the tests' CA until it gets SIGTERM. It prints the URL of the CA's directory and the root certificate as JSON. */
using ca = createThrowawayCa();
const acme = await acmeServer({ tls: ca.issue('IP:127.0.0.1'), now: Date.now, name: 'First CA', ari: false });
console.log(JSON.stringify({ directoryUrl: acme.directory_url, root: ca.certificate }));
process.once('SIGTERM', () => process.exit());
