import { NGINX_PACKAGES } from '../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { NATS_SERVER } from '../fixtures/nats/nats-server.ts';
import { describeHostnameMoves } from '../service/acme/hostname-moves.ts';

describeUnlessMissing(whyMissing(NATS_SERVER), 'With NATS', () => {
  describeHostnameMoves('node', 'nats');
  describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'hostname moves', () =>
    describeHostnameMoves('nginx', 'nats'),
  );
});
