import { describe, expect, it } from 'vitest';
import { openChallenge } from '../../../shared/operations/certificates/open-challenges.ts';
import { transact } from '../../../shared/operations/context.ts';
import { takeRoute } from '../../../shared/store/domains/routes.ts';
import { jobWorld } from '../../jobs/job-world.ts';
import { storedReader } from '../../operations/edge/stored-values.ts';
import { edgeWith, HOST } from '../edge-under-test.ts';
import { tally, visitAtOnce } from '../wire/visitors-at-once.ts';

const AT_ONCE = 1_000;

describe('the edge responds to a thousand requests for challenges at once', () => {
  it('sends the right response to each request', async () => {
    await using world = await jobWorld();
    const domainId = await world.addDomain(await world.addApp('acme'), HOST);
    const tokens = Array.from({ length: AT_ONCE }, (_, n) => String(n).padStart(43, '0'));
    await transact(world.context, async (tx) => {
      await takeRoute(tx.store, HOST, domainId, true);
      for (const token of tokens) {
        const answer = { hostname: HOST, token, domain_id: domainId, key_authorization: `${token}.key` };
        await openChallenge(tx, { ...answer, method: 'http-01' });
      }
    });
    const { challenges } = await storedReader(world.context);
    await using edge = await edgeWith({}, { challenges, limits: { headers_timeout_ms: 120_000 } });
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
