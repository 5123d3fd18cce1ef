import { holdTo } from './hold-to.ts';

await holdTo(() => import('../wire/edge-http2-meaning.test.ts'));
