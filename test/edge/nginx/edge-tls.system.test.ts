import { holdTo } from './hold-to.ts';

await holdTo(() => import('../tls/edge-tls.test.ts'));
