import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The API's address for `npm run dev`: a gateway that `cargo xtask dev` has started. */
const gateway = process.env['WARAQ_GATEWAY'] ?? 'http://127.0.0.1:3000';

/** Fails the build without font files, because its pages would show no letters. */
const fontsAreThere: Plugin = {
  name: 'fonts-are-there',
  apply: 'build',
  buildStart() {
    const folder = fileURLToPath(new URL('../crates/fonts/files', import.meta.url));
    const fonts = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.ttf')) : [];
    if (fonts.length === 0) this.error(`no fonts in ${folder}: cargo xtask fonts fetches them`);
  },
};

/** The engine for the browser, made by `cargo xtask preview`. Without it the site shows the server's PDF in place of live pages. */
const engine = fileURLToPath(new URL('./engine', import.meta.url));
const noEngine = fileURLToPath(new URL('./src/shared/pages/no-engine', import.meta.url));

export default defineConfig({
  plugins: [react(), fontsAreThere],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      'waraq-preview': existsSync(`${engine}/preview_bg.wasm`) ? engine : noEngine,
    },
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    manifest: true,
    assetsInlineLimit: 0,
    // The worker of the PDF reader is one file of 1 MB. It is fetched only when pages are shown.
    chunkSizeWarningLimit: 1500,
    // The first page needs one file. Split into chunks shared with later pages, it would be a twentieth larger.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'start', test: /src[\\/](features[\\/]catalogue|app[\\/]shell[\\/]Shell)/ }],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': gateway, '/media': gateway } },
  test: { include: ['src/**/*.test.ts', 'src/**/*.test.tsx'], environment: 'node' },
});
