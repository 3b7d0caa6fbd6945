import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Where `npm run dev` finds the API: a gateway started by `cargo xtask dev`. */
const gateway = process.env['WARAQ_GATEWAY'] ?? 'http://127.0.0.1:3000';

/** A site built without the fonts would show pages without a letter. */
const fontsAreThere: Plugin = {
  name: 'fonts-are-there',
  apply: 'build',
  buildStart() {
    const folder = fileURLToPath(new URL('../crates/fonts/files', import.meta.url));
    const fonts = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.ttf')) : [];
    if (fonts.length === 0) this.error(`no fonts in ${folder}: cargo xtask fonts fetches them`);
  },
};

export default defineConfig({
  plugins: [react(), fontsAreThere],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      // Made by `cargo xtask preview`.
      'waraq-preview': fileURLToPath(new URL('./engine', import.meta.url)),
    },
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    manifest: true,
    assetsInlineLimit: 0,
    // The PDF reader's worker is one file of 1 MB; it is fetched only where pages are shown.
    chunkSizeWarningLimit: 1500,
    // What the first page needs is one file: cut into pieces by what later pages share with it, it would be a twentieth larger.
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
