import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFileSecrets } from '../../../emulator/state/file-secrets.ts';
import { systemRandom } from '../../../shared/adapters/system.ts';

const key = () => randomBytes(32).toString('base64');

test('an earlier encryption key can still decrypt, but only the current key encrypts', () => {
  const [first, second] = [key(), key()];
  const secrets = createFileSecrets(first, systemRandom);
  const before = secrets.seal('one', 'a');
  secrets.key = second;
  expect(secrets.key).toBe(second);
  expect(secrets.open(before, 'a')).toBe('one');
  const after = secrets.seal('two', 'a');
  expect(createFileSecrets(second, systemRandom).open(after, 'a')).toBe('two');
  expect(() => createFileSecrets(first, systemRandom).open(after, 'a')).toThrow('no encryption key');
  expect(() => secrets.open(after, 'b')).toThrow();
});
