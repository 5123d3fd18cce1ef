import { expect, test } from 'vitest';
import { loadOnce } from '../../shared/core/load-once.ts';

/** Each load is answered by the test. */
function held() {
  const loads: PromiseWithResolvers<string>[] = [];
  const part = loadOnce(() => {
    const load = Promise.withResolvers<string>();
    loads.push(load);
    return load.promise;
  });
  return { part, loads };
}

test('what is needed by many is loaded once', async () => {
  const { part, loads } = held();
  const both = Promise.all([part.get(), part.get()]);
  loads[0]?.resolve('loaded');
  expect(await both).toEqual(['loaded', 'loaded']);
  expect(await part.get()).toBe('loaded');
  expect(loads).toHaveLength(1);
});

test('a failure is told to all who wait, and the next one tries again', async () => {
  const { part, loads } = held();
  const both = Promise.allSettled([part.get(), part.get()]);
  loads[0]?.reject(new Error('EMFILE'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = part.get();
  loads[1]?.resolve('loaded');
  expect(await again).toBe('loaded');
});

test('whoever closes it gets what is there or on its way, and no failure', async () => {
  const { part, loads } = held();
  expect(await part.loaded()).toBeNull();
  const failing = Promise.allSettled([part.get()]);
  const closing = part.loaded();
  loads[0]?.reject(new Error('EMFILE'));
  expect(await closing).toBeNull();
  await failing;
  expect(await part.loaded()).toBeNull();
  void part.get();
  const closing_again = part.loaded();
  loads[1]?.resolve('loaded');
  expect(await closing_again).toBe('loaded');
});

test('a part that is not on the disk any more is told as a changed package', async () => {
  const gone: string = './no-such-part.ts';
  await expect(loadOnce(() => import(gone)).get()).rejects.toThrow(
    'the package was replaced while this process ran',
  );
  const other = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  await expect(loadOnce(() => Promise.reject(other)).get()).rejects.toBe(other);
});
