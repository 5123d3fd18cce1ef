import { NGINX_PACKAGES } from '../../../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../../fixtures/describe-unless-missing.ts';
import { NATS_SERVER } from '../../../fixtures/nats/nats-server.ts';
import { describeEdgeHealth } from './edge-health.ts';

describeEdgeHealth('node', 'postgres');
describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'With nginx', () => {
  describeUnlessMissing(whyMissing(NATS_SERVER), 'and NATS', () => describeEdgeHealth('nginx', 'nats'));
});
