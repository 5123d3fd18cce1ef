import { holdTo } from './hold-to.ts';

await holdTo(() => import('../forwarding/edge-websocket.test.ts'));
