import { describeOutage } from '../service/edge-outage.ts';

describeOutage(60_000);
