import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { NATS_SERVER } from '../../fixtures/nats/nats-server.ts';
import { describeFrozenNode } from './frozen-node.ts';

describeFrozenNode('postgres');
describeUnlessMissing(whyMissing(NATS_SERVER), 'With NATS', () => describeFrozenNode('nats'));
