import { expect, test } from 'vitest';
import { loadOnce } from '../../shared/core/load-once.ts';

/** Creates a loader. The test decides when each load resolves or rejects. */
function held() {
  const loads: PromiseWithResolvers<string>[] = [];
  const part = loadOnce(() => {
    const load = Promise.withResolvers<string>();
    loads.push(load);
    return load.promise;
  });
  return { part, loads };
}

test('loadOnce loads once for many callers', async () => {
  const { part, loads } = held();
  const both = Promise.all([part.get(), part.get()]);
  loads[0]?.resolve('loaded');
  expect(await both).toEqual(['loaded', 'loaded']);
  expect(await part.get()).toBe('loaded');
  expect(loads).toHaveLength(1);
});

test('loadOnce rejects for all waiting callers after a failure, and loads again for the next caller', async () => {
  const { part, loads } = held();
  const both = Promise.allSettled([part.get(), part.get()]);
  loads[0]?.reject(new Error('EMFILE'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = part.get();
  loads[1]?.resolve('loaded');
  expect(await again).toBe('loaded');
});

test('loaded() returns a resource that is loaded or still loading, and never rejects', async () => {
  const { part, loads } = held();
  expect(await part.loaded()).toBeNull();
  const failing = Promise.allSettled([part.get()]);
  const closing = part.loaded();
  loads[0]?.reject(new Error('EMFILE'));
  expect(await closing).toBeNull();
  await failing;
  expect(await part.loaded()).toBeNull();
  void part.get();
  const closingAgain = part.loaded();
  loads[1]?.resolve('loaded');
  expect(await closingAgain).toBe('loaded');
});

test('the error of loadOnce for a missing file says that the package was replaced', async () => {
  const gone: string = './no-such-part.ts';
  await expect(loadOnce(() => import(gone)).get()).rejects.toThrow(
    'the package was replaced while this process ran',
  );
  const other = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  await expect(loadOnce(() => Promise.reject(other)).get()).rejects.toBe(other);
});
