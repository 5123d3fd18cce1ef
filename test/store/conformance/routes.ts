import { expect, test } from 'vitest';
import { dropRoutes, findRouteOwner, takeRoute } from '../../../shared/store/domains/routes.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { newId } from '../rows.ts';

export function routeTests(store: () => Tx): void {
  test('routes a hostname to the domain that took it last, and returns the previous one', async () => {
    const [one, two] = [newId('dom'), newId('dom')];
    expect(await findRouteOwner(store(), 'acme.com')).toBeNull();
    expect(await takeRoute(store(), 'acme.com', one, true)).toBeNull();
    expect(await takeRoute(store(), 'acme.com', one, true)).toBe(one);
    expect(await findRouteOwner(store(), 'acme.com')).toBe(one);
    expect(await takeRoute(store(), 'acme.com', two, true)).toBe(one);
    expect(await findRouteOwner(store(), 'acme.com')).toBe(two);
    expect(await findRouteOwner(store(), 'www.acme.com')).toBeNull();
  });

  test('a domain drops only the routes that it holds', async () => {
    const [one, two] = [newId('dom'), newId('dom')];
    await takeRoute(store(), 'a.com', one, true);
    await takeRoute(store(), 'b.com', one, true);
    await takeRoute(store(), 'b.com', two, true);
    await dropRoutes(store(), one);
    expect(await findRouteOwner(store(), 'a.com')).toBeNull();
    expect(await findRouteOwner(store(), 'b.com')).toBe(two);
    expect(await takeRoute(store(), 'a.com', two, true)).toBeNull();
  });

  test('of 20 that take one hostname concurrently, all but the last learn that they lost it', async () => {
    const takers = Array.from({ length: 20 }, () => newId('dom'));
    const losers = await Promise.all(
      takers.map((id) => inTransaction(store(), (tx) => takeRoute(tx, 'acme.com', id, true))),
    );
    const winner = await findRouteOwner(store(), 'acme.com');
    expect(losers.filter((id) => id === null)).toHaveLength(1);
    expect([...losers.filter((id) => id !== null), winner].sort()).toEqual(takers.sort());
  });

  test('concurrent taking and dropping ends with one route or none', async () => {
    const takers = Array.from({ length: 10 }, () => newId('dom'));
    await Promise.all(
      takers.flatMap((id) => [
        inTransaction(store(), (tx) => takeRoute(tx, 'acme.com', id, true)),
        inTransaction(store(), (tx) => dropRoutes(tx, id)),
      ]),
    );
    expect([null, ...takers]).toContain(await findRouteOwner(store(), 'acme.com'));
  });
}
