import { expect, test } from 'vitest';
import { openReplica } from '../../../service/edge/replica/replica.ts';
import { edgeRingOf } from '../../../service/settings/key-rings.ts';
import { systemRandom } from '../../../shared/adapters/system.ts';
import { createValueBox } from '../../../shared/adapters/value-box.ts';
import { replicaFolder } from '../../fixtures/replica-folder.ts';
import { appValue, HOST, hostValue, CERTIFICATE as SAMPLE } from '../edge/replica/sample-values.ts';
import { KEYS, runService } from '../run-service.ts';

const APEX = 'acme.org';
const ORIGIN = 'https://origin.example';
const APP = appValue(ORIGIN);
const CERTIFICATE = { ...SAMPLE, not_after: Date.UTC(2100, 0) };
const [, bytes = ''] = KEYS.k1.split(':');
const ring = { current: 'k1', keys: new Map([['k1', new Uint8Array(Buffer.from(bytes, 'base64'))]]) };

/** Fills the replica of a machine, and returns what the command says about a hostname there. */
function machine() {
  const folder = replicaFolder();
  const box = createValueBox(edgeRingOf({ encryptionKeys: ring, edgeKeys: null, dataDir: '' }), systemRandom);
  const replica = openReplica(folder);
  const value = (key: string, content: object) => {
    const at = { key, epoch: 1, number: 1 };
    return { ...at, value: box.seal(at, content) };
  };
  const { app_id } = hostValue();
  replica.apply([
    value(`host.${HOST}`, hostValue({ certificate: CERTIFICATE })),
    value(`host.${APEX}`, hostValue({ redirects_www: true })),
    value(`app.${app_id}`, APP),
    value('hold.*.evil.example', {}),
  ]);
  replica.close();
  return async (hostname: string, key = KEYS.k1) => {
    const env = {
      NAMEPLATE_EDGE_REPLICA: folder,
      NAMEPLATE_ENCRYPTION_KEYS: key,
      DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c',
    };
    const { exit, stdout } = await runService(['replica', 'inspect', hostname, '--json'], env);
    return { exit, ...JSON.parse(stdout) };
  };
}

test('`service replica inspect` shows the route, the origin and the certificate of a hostname, and no secret', async () => {
  const shown = await machine()(HOST);
  expect(shown).toMatchObject({
    exit: 0,
    route: 'forward',
    origin: ORIGIN,
    certificate: { serial: CERTIFICATE.serial, names: [HOST] },
  });
  expect(JSON.stringify(shown)).not.toContain(CERTIFICATE.private_key);
  expect(JSON.stringify(shown)).not.toContain(APP.secret);
});

test('`service replica inspect` shows the redirect of a `www` name and the hold of a name', async () => {
  const inspect = machine();
  expect(await inspect(`www.${APEX}`)).toMatchObject({ route: 'redirect', redirects_to: APEX });
  expect(await inspect('login.evil.example')).toMatchObject({ route: 'held', held_by: ['*.evil.example'] });
});

test('`service replica inspect` names an unknown hostname and a value that the keys cannot open', async () => {
  const inspect = machine();
  expect(await inspect('unknown.example')).toMatchObject({
    exit: 5,
    error: {
      code: 'not_found',
      fix: expect.stringMatching(/test domain.*service certificates show.* with this hostname.* role api/),
    },
  });
  expect(await inspect(HOST, KEYS.k2)).toMatchObject({ error: { code: 'encryption_keys_unusable' } });
});
