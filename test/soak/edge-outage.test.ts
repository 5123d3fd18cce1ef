import { NGINX_PACKAGES } from '../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { NATS_SERVER } from '../fixtures/nats/nats-server.ts';
import { describeOutage } from '../service/edge/edge-outage.ts';

const AWAY_MS = 60_000;

describeOutage(AWAY_MS);
describeUnlessMissing(whyMissing(NATS_SERVER), 'With NATS', () => describeOutage(AWAY_MS, 'node', 'nats'));
describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'The edge on nginx', () => {
  describeOutage(AWAY_MS, 'nginx');
  describeUnlessMissing(whyMissing(NATS_SERVER), 'with NATS', () => describeOutage(AWAY_MS, 'nginx', 'nats'));
});
