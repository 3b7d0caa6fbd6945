import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Where `npm run dev` finds the API: a gateway started by `cargo xtask dev`. */
const gateway = process.env['WARAQ_GATEWAY'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: 'es2022',
    manifest: true,
    assetsInlineLimit: 0,
    // The PDF reader's worker is one file of 1 MB; it is fetched only where pages are shown.
    chunkSizeWarningLimit: 1500,
  },
  server: { host: '127.0.0.1', proxy: { '/api': gateway, '/media': gateway } },
  test: { include: ['src/**/*.test.ts', 'src/**/*.test.tsx'], environment: 'node' },
});
