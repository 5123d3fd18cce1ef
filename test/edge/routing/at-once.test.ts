import { describe, expect, it } from 'vitest';
import { ownedChallenges } from '../../../service/edge/edge-challenges.ts';
import { RouteTable } from '../../../shared/edge/routing/route-table.ts';
import { saveChallenge } from '../../../shared/store/certificates/challenges.ts';
import { takeRoute } from '../../../shared/store/domains/routes.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { jobWorld } from '../../jobs/job-world.ts';
import { edgeWith, HOST } from '../edge-under-test.ts';
import { tally, visitAtOnce } from '../wire/visitors-at-once.ts';

const AT_ONCE = 1_000;

describe('the edge responds to a thousand requests for challenges at once', () => {
  it('sends the right response to each request', async () => {
    await using world = await jobWorld();
    const { store } = world.context;
    const domainId = await world.addDomain(await world.addApp('acme'), HOST);
    await takeRoute(autocommit(store), HOST, domainId, true);
    const table = new RouteTable();
    table.set(HOST, { route: null, redirectsWww: false, changesAt: null });
    const tokens = Array.from({ length: AT_ONCE }, (_, n) => String(n).padStart(43, '0'));
    for (const token of tokens) {
      const answer = { hostname: HOST, token, domain_id: domainId, key_authorization: `${token}.key` };
      await saveChallenge(autocommit(store), { ...answer, method: 'http-01' });
    }
    await using edge = await edgeWith(
      {},
      { challenges: ownedChallenges(world.context, table), limits: { headers_timeout_ms: 120_000 } },
    );
    const answers = await visitAtOnce(
      edge.port,
      tokens.map((token) => ({
        hostname: HOST,
        path: `/.well-known/acme-challenge/${token}`,
        servername: null,
      })),
    );
    expect(tally(answers)).toEqual({ 200: AT_ONCE });
    expect(answers.map(({ body }) => body)).toEqual(tokens.map((token) => `${token}.key`));
  });
});
