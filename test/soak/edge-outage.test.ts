import { describeOutage } from '../service/edge/edge-outage.ts';

describeOutage(60_000);
