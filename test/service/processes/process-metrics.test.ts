import { expect, test } from 'vitest';
import { mergeMetrics } from '../../../service/processes/process-metrics.ts';

const FIRST = `# HELP requests_total Requests by status
# TYPE requests_total counter
requests_total{status="200"} 3

# HELP up One
# TYPE up gauge
up 1
`;
const SECOND = `# HELP requests_total Requests by status
# TYPE requests_total counter
requests_total{status="200"} 4

# HELP seconds A histogram
# TYPE seconds histogram
seconds_bucket{le="+Inf"} 2
seconds_sum 0.5
`;

test("the node lists the metrics of all processes under one heading, each with its process's name", () => {
  expect(
    mergeMetrics([
      { process: 'edge-1', text: FIRST },
      { process: 'edge-2', text: SECOND },
    ]),
  ).toBe(`# HELP requests_total Requests by status
# TYPE requests_total counter
requests_total{process="edge-1",status="200"} 3
requests_total{process="edge-2",status="200"} 4

# HELP up One
# TYPE up gauge
up{process="edge-1"} 1

# HELP seconds A histogram
# TYPE seconds histogram
seconds_bucket{process="edge-2",le="+Inf"} 2
seconds_sum{process="edge-2"} 0.5
`);
});
