import { NGINX_PACKAGES } from '../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { describeLiveJourney } from '../service/acme/live-journey.ts';

describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'the live journey', () => describeLiveJourney('nginx'));
