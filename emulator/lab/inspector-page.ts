import { inlineSource, readBrowserScript } from '../../shared/adapters/browser-script.ts';
import { compressed, type EncodedForms } from '../../shared/adapters/compress.ts';
import { scriptPageHeaders } from '../../shared/dashboard/page-headers.ts';
import { INSPECTOR_STYLE } from './lab-style.ts';

/** Serves the inspector's single document. Style and script are inline, allowed by their digests, and nothing else loads. */
export function inspectorPage(request: Request): Promise<Response> {
  made ??= makePage();
  const { text, status, headers, forms } = made;
  return compressed(request, new Response(text, { status, headers }), forms);
}
let made: ReturnType<typeof makePage> | undefined;

function makePage() {
  const script = readBrowserScript('inspector.browser.js');
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Emulator</title>
<style>${INSPECTOR_STYLE}</style>
</head>
<body>
<div id="inspector">${script === '' ? NO_SCRIPT_BUILT : NO_SCRIPT_RUN}</div>
<script type="module">${script}</script>
</body>
</html>
`;
  const forms: EncodedForms = new Map();
  return {
    text,
    forms,
    status: script === '' ? 503 : 200,
    headers: scriptPageHeaders([
      `style-src ${inlineSource(INSPECTOR_STYLE)}`,
      `script-src ${inlineSource(script)}`,
    ]),
  };
}

const NO_SCRIPT_BUILT =
  '<p class="alone">The inspector is not built. Run <code>npm run build</code>, then start the emulator again.</p>';
const NO_SCRIPT_RUN = '<noscript><p class="alone">The inspector needs JavaScript.</p></noscript>';
