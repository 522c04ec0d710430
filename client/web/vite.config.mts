import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Where a gateway listens during `vite client/web`. */
const GATEWAY = process.env.HOLDFAST_GATEWAY ?? 'http://127.0.0.1:4080';

export default defineConfig({
  root: folder('.'),
  build: {
    outDir: folder('../../dist/client/web'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page allows files of its own origin only: nothing is put into the files as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licenses of the packages that are in the files.
    license: { fileName: 'licenses.md' },
    // React, the AI SDK and the Markdown parser are needed from the first view on: one file.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: { proxy: { '/v1': GATEWAY, '/health': GATEWAY } },
});
