import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../service/config.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createDeployment, type Deployment } from '../run-service.ts';

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const [E1, E2] = [key('e1', 11), key('e2', 12)];

describePostgres('The keys of the edges', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await createDeployment();
    for (const name of ['one', 'two']) await deployment.json(['holds', 'create', `${name}.example.com`]);
  });
  afterAll(() => deployment[Symbol.asyncDispose]());

  const run = (command: string, env: Record<string, string> = {}) => deployment.json(command.split(' '), env);
  const withKeys = (...keys: string[]) => ({ NAMEPLATE_EDGE_KEYS: keys.join() });
  const exported = async () => String((await run('edge-keys export')).document['NAMEPLATE_EDGE_KEYS']);

  test('the export without a setting has the derived keys and no encryption key', async () => {
    const setting = await exported();
    expect(setting).toMatch(/^derived-k1:/);
    const { edgeKeys, encryptionKeys } = readConfig({ ...deployment.env, NAMEPLATE_EDGE_KEYS: setting });
    expect(edgeKeys?.keys.get('derived-k1')).not.toEqual(encryptionKeys?.keys.get('k1'));
  });

  test('the export is a line for the settings of another node', async () => {
    const { stdout } = await deployment.service(['edge-keys', 'export']);
    expect(stdout.split('\n')).toContain(`NAMEPLATE_EDGE_KEYS=${await exported()}`);
  });

  test('a rotation seals all values again, step by step as in the guide, and counts the values under each key', async () => {
    const derived = await exported();
    const before = await run('edge-keys rotate');
    const { 'derived-k1': values = 0 } = before.document['values'] as Record<string, number>;
    expect(values).toBeGreaterThan(0);
    expect(before.document).toMatchObject({ key_id: 'derived-k1', resealed: 0 });
    const kept = await run('edge-keys rotate', withKeys(derived, E1));
    expect(kept.document).toMatchObject({
      key_id: 'derived-k1',
      resealed: 0,
      values: { 'derived-k1': values },
    });
    const rotated = await run('edge-keys rotate', withKeys(E1, derived));
    expect(rotated.document).toMatchObject({ key_id: 'e1', resealed: values, values: { e1: values } });
    const again = await run('edge-keys rotate', withKeys(E1));
    expect(again.document).toMatchObject({ key_id: 'e1', resealed: 0 });
  });

  test('a node without the key of the stored values does not start, so that it cannot seal them under another key', async () => {
    for (const env of [{}, withKeys(E2)]) {
      const { exit, document } = await run('accounts list', env);
      expect([exit === 0, document.error]).toMatchObject([
        false,
        { code: 'encryption_keys_unusable', message: expect.stringContaining('sealed with the key "e1"') },
      ]);
    }
    expect((await run('accounts list', withKeys(E2, E1))).exit).toBe(0);
  });

  test('a node warns of each missing key under which older values are sealed, and a rotation replaces the key', async () => {
    await run('holds create three.example.com', withKeys(E2, E1));
    const [listed, without] = [['accounts', 'list'], withKeys(E2)];
    const { exit, stderr } = await deployment.service(listed, without);
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/"missing":\["e1"\].*edge-keys rotate/)]);
    const { values } = (await run('edge-keys rotate', without)).document;
    expect(Object.keys(values as object)).toEqual(['e2']);
    expect((await deployment.service(listed, without)).stderr).toBe('');
  });
});
