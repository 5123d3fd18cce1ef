import { describeOutage } from './edge-outage.ts';

describeOutage(0);
