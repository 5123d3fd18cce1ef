/**
 * Preloaded into a process under test: at each SIGUSR2 it collects garbage and writes its memory in bytes to standard error. The last-resort
 * collection returns free pages of the heap to the system. An ordinary one keeps hundreds of megabytes of them, which are no leak.
 */
const v8 = require('node:v8');
const vm = require('node:vm');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');
process.on('SIGUSR2', () => {
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  process.stderr.write(`memory: ${JSON.stringify(process.memoryUsage())}\n`);
});
