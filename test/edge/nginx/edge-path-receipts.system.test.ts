import { holdTo } from './hold-to.ts';

await holdTo(() => import('../routing/edge-path-receipts.test.ts'));
