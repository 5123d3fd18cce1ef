import { expect, test, vi } from 'vitest';
import { NoTurnError } from '../../../shared/adapters/turns.ts';
import { createLookups } from '../../../shared/edge/routing/lookups.ts';

/** Creates lookups. The test itself delivers their results, in the order of the calls. */
function lookupsUnderTest(runningMax = 10) {
  const asked: { name: string; answer: (found: string | null) => void }[] = [];
  const lookups = createLookups<string>({
    find(name) {
      const { promise, resolve } = Promise.withResolvers<string | null>();
      asked.push({ name, answer: resolve });
      return promise;
    },
    absentMs: 3_600_000,
    runningMax,
  });
  return { lookups, asked };
}

test('the lookup cache shares one lookup among concurrent callers for the same name', async () => {
  const { lookups, asked } = lookupsUnderTest();
  const answers = Array.from({ length: 5 }, () => lookups.find('a'));
  expect(asked).toHaveLength(1);
  asked[0]?.answer('found');
  expect(await Promise.all(answers)).toEqual(Array(5).fill('found'));
});

test('the lookup cache remembers that a name does not exist until the name is forgotten', async () => {
  const { lookups, asked } = lookupsUnderTest();
  for (const forget of [() => lookups.forget('a'), () => lookups.forgetAll()]) {
    const first = lookups.find('a');
    asked.at(-1)?.answer(null);
    expect(await first).toBeNull();
    const before = asked.length;
    expect(await lookups.find('a')).toBeNull();
    expect(asked).toHaveLength(before);
    forget();
  }
  void lookups.find('a');
  expect(asked).toHaveLength(3);
});

test('the lookup cache limits concurrent lookups, even if a thousand names are requested at once', async () => {
  const { lookups, asked } = lookupsUnderTest(2);
  const names = Array.from({ length: 1_000 }, (_, n) => `name-${n}`);
  const answers = names.map((name) => lookups.find(name));
  let answered = 0;
  while (answered < names.length) {
    expect(asked.length - answered).toBeLessThanOrEqual(2);
    asked[answered++]?.answer('found');
    await expect.poll(() => asked.length).toBe(Math.min(answered + 2, names.length));
  }
  expect(await Promise.all(answers)).toEqual(names.map(() => 'found'));
});

test('the lookup cache gives up a lookup that cannot begin within seconds, and repeats the lookup on a later request', async () => {
  vi.useFakeTimers();
  const { lookups, asked } = lookupsUnderTest(1);
  const running = lookups.find('a');
  const late = expect(lookups.find('b')).rejects.toThrow(NoTurnError);
  await vi.advanceTimersByTimeAsync(5_000);
  await late;
  const joined = lookups.find('a');
  asked[0]?.answer('found');
  expect(await Promise.all([running, joined])).toEqual(['found', 'found']);
  void lookups.find('b');
  expect(asked.map(({ name }) => name)).toEqual(['a', 'b']);
  vi.useRealTimers();
});

test.each(['forget', 'forgetAll'] as const)(
  'the lookup cache discards lookups that began before their name was forgotten by `%s`',
  async (forget) => {
    const { lookups, asked } = lookupsUnderTest();
    const waiting = lookups.find('a');
    lookups[forget]('a');
    asked[0]?.answer('old');
    await expect.poll(() => asked.length).toBe(2);
    const joined = lookups.find('a');
    asked[1]?.answer('new');
    expect(await Promise.all([waiting, joined])).toEqual(['new', 'new']);
    expect(asked).toHaveLength(2);
  },
);
