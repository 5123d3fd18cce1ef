import { expect, test } from 'vitest';
import { problemsOf } from './config-problems.ts';

test('the addresses of NATS servers can name only one user', () => {
  const problem = (NatsUrl: string) => problemsOf({ NATS_URL: NatsUrl })['NATS_URL'] ?? null;
  expect(problem('nats://edge:secret@one.test,nats://two.test')).toBeNull();
  expect(problem('nats://edge:secret@one.test,nats://edge:secret@two.test')).toBeNull();
  expect(problem('nats://edge:secret@one.test,nats://other:secret@two.test')).toMatch(
    /^must name one user: /,
  );
  expect(problem('nats://one.test,nats://edge:secret@two.test')).toMatch(/^must name one user: /);
});
