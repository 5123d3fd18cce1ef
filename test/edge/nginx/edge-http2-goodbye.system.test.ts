import { holdTo } from './hold-to.ts';

await holdTo(() => import('../listeners/edge-http2-goodbye.test.ts'));
