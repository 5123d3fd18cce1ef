/** Metrics of one process, as Prometheus text. */
export interface ProcessMetrics {
  process: string;
  text: string;
}

/**
 * Merges the metrics of several processes into one text. Each series gets a label `process`. Series are not summed: a sum would fall when a
 * process is replaced, and `rate()` would read that as a counter reset of all processes.
 */
export function mergeMetrics(all: readonly ProcessMetrics[]): string {
  const families = new Map<string, { head: string; samples: string[] }>();
  for (const { process, text } of all) {
    for (const block of text.split(/^(?=# HELP )/m)) {
      const [help = '', type = '', ...samples] = block.split('\n').filter((line) => line !== '');
      if (help === '') continue;
      const family = families.get(help) ?? { head: `${help}\n${type}`, samples: [] };
      family.samples.push(...samples.map((sample) => withLabel(sample, process)));
      families.set(help, family);
    }
  }
  return [...families.values()].map(({ head, samples }) => [head, ...samples, ''].join('\n')).join('\n');
}

function withLabel(sample: string, process: string): string {
  return sample.replace(/^([\w:]+)(\{?)/, (_, name, brace) =>
    brace === '' ? `${name}{process="${process}"}` : `${name}{process="${process}",`,
  );
}
