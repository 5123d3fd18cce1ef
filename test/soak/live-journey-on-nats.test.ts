import { NGINX_PACKAGES } from '../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { NATS_SERVER } from '../fixtures/nats/nats-server.ts';
import { describeLiveJourney } from '../service/acme/live-journey.ts';

describeUnlessMissing(whyMissing(NATS_SERVER), 'With NATS', () => {
  describeLiveJourney('node', 'nats');
  describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'the live journey', () =>
    describeLiveJourney('nginx', 'nats'),
  );
});
