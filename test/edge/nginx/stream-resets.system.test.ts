import { holdTo } from './hold-to.ts';

await holdTo(() => import('../wire/stream-resets.test.ts'));
