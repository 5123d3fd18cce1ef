import { describeLiveJourney } from './live-journey.ts';

describeLiveJourney('node');
