import { holdTo } from './hold-to.ts';

await holdTo(() => import('../tls/edge-challenges.test.ts'));
