import { NGINX_PACKAGES } from '../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { describeOutage } from '../service/edge/edge-outage.ts';

describeOutage(60_000);
describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'the edge on nginx', () => describeOutage(60_000, 'nginx'));
