import { addressOf, literal, type SampleCall, spacedJson } from './call.ts';

/** The languages in which a page shows a request, in the order of the tabs. Each sample uses only the language's standard library. */
export const LANGUAGES: readonly { tab: string; fence: string; write: (call: SampleCall) => string }[] = [
  { tab: 'Python', fence: 'python', write: python },
  { tab: 'Ruby', fence: 'ruby', write: ruby },
  { tab: 'Go', fence: 'go', write: go },
  { tab: 'PHP', fence: 'php', write: php },
];

/** Returns the request as a curl command. */
export function curl(call: SampleCall): string {
  const { method, body, response } = call;
  const isPlain = method === 'GET' || (method === 'POST' && body !== null);
  const words = ['curl', ...(response === 'stream' ? ['-N'] : []), ...(isPlain ? [] : [`-X ${method}`])];
  const address = call.query === '' ? addressOf(call) : `'${addressOf(call)}'`;
  const lines = [[...words, address].join(' '), `-H "Authorization: Bearer $NAMEPLATE_API_KEY"`];
  if (body !== null) lines.push("-H 'Content-Type: application/json'", `-d '${spacedJson(body)}'`);
  return lines.join(' \\\n  ');
}

function python(call: SampleCall): string {
  const { method, body, response } = call;
  const quote = (text: string) => JSON.stringify(text);
  const style = { open: '{', pair: ': ', close: '}', quote, none: 'None' };
  const read = {
    document: ['    print(json.load(response))'],
    empty: ['    print(response.status)'],
    stream: ['    for line in response:', '        print(line.decode(), end="")'],
  }[response];
  return [
    `import ${response === 'document' || body !== null ? 'json, ' : ''}os, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    "${addressOf(call)}",`,
    `    method="${method}",`,
    '    headers={',
    '        "Authorization": "Bearer " + os.environ["NAMEPLATE_API_KEY"],',
    ...(body === null ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ...(body === null ? [] : [`    data=json.dumps(${literal(body, style)}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    ...read,
  ].join('\n');
}

function ruby(call: SampleCall): string {
  const { method, body, response } = call;
  const quote = (text: string) => JSON.stringify(text);
  const style = { open: '{ ', pair: ' => ', close: ' }', quote, none: 'nil' };
  const name = method.slice(0, 1) + method.slice(1).toLowerCase();
  const send = {
    document: ['  puts http.request(request).body'],
    empty: ['  puts http.request(request).code'],
    stream: ['  http.request(request) { |response| response.read_body { |part| print part } }'],
  }[response];
  return [
    ...(body === null ? [] : ['require "json"']),
    'require "net/http"',
    '',
    `uri = URI("${addressOf(call)}")`,
    `request = Net::HTTP::${name}.new(uri)`,
    'request["Authorization"] = "Bearer " + ENV.fetch("NAMEPLATE_API_KEY")',
    ...(body === null
      ? []
      : [
          'request["Content-Type"] = "application/json"',
          `request.body = JSON.generate(${literal(body, style)})`,
        ]),
    'Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") do |http|',
    ...send,
    'end',
  ].join('\n');
}

function go(call: SampleCall): string {
  const { method, body, response } = call;
  const imports = ['"io"', '"log"', '"net/http"', '"os"', ...(body === null ? [] : ['"strings"'])];
  if (response === 'empty') imports.splice(0, 1, '"fmt"');
  const content = body === null ? 'nil' : `strings.NewReader(\`${spacedJson(body)}\`)`;
  const read =
    response === 'empty'
      ? ['\tfmt.Println(response.StatusCode)']
      : ['\tif _, err := io.Copy(os.Stdout, response.Body); err != nil {', '\t\tlog.Fatal(err)', '\t}'];
  return [
    'package main',
    '',
    'import (',
    ...imports.map((each) => `\t${each}`),
    ')',
    '',
    'func main() {',
    `\trequest, err := http.NewRequest("${method}", "${addressOf(call)}", ${content})`,
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("NAMEPLATE_API_KEY"))',
    ...(body === null ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    ...read,
    '}',
  ].join('\n');
}

function php(call: SampleCall): string {
  const { method, body, response } = call;
  const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  const style = { open: '[', pair: ' => ', close: ']', quote, none: 'null' };
  const read = {
    document: ['echo stream_get_contents($response);'],
    empty: ["echo stream_get_meta_data($response)['wrapper_data'][0];"],
    stream: ['while (($line = fgets($response)) !== false) {', '    echo $line;', '}'],
  }[response];
  return [
    '<?php',
    "$context = stream_context_create(['http' => [",
    `    'method' => '${method}',`,
    "    'header' => [",
    "        'Authorization: Bearer ' . getenv('NAMEPLATE_API_KEY'),",
    ...(body === null ? [] : ["        'Content-Type: application/json',"]),
    '    ],',
    ...(body === null ? [] : [`    'content' => json_encode(${literal(body, style)}),`]),
    ']]);',
    `$response = fopen('${addressOf(call)}', 'r', false, $context);`,
    ...read,
  ].join('\n');
}
