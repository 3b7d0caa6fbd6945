import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Where `npm run dev` finds the API: a gateway started by `cargo xtask dev`. */
const gateway = process.env['WARAQ_GATEWAY'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
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
