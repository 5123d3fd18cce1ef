import { describePebble } from '../../fixtures/acme/pebble.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeRealInternet } from '../../fixtures/describe-real-internet.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { CADDY } from './old-host.ts';

/** Groups tests that need every program of a move from Caddy. */
export function describeMove(title: string, tests: () => void): void {
  describeUnlessMissing(whyMissing({ packages: ['caddy'], programs: [CADDY] }), title, () => {
    describeRealInternet('with real DNS', () => {
      describePebble('and Pebble', () => {
        describePostgres('on Postgres', tests);
      });
    });
  });
}
