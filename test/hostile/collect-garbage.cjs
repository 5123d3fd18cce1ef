/** Preloaded into a process under test: at each SIGUSR2 it collects garbage and tells on standard error what is left of its heap. */
const v8 = require('node:v8');
const vm = require('node:vm');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');
process.on('SIGUSR2', () => {
  gc();
  process.stderr.write(`heap used: ${process.memoryUsage().heapUsed}\n`);
});
