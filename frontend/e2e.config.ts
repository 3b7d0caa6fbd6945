import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

/**
 * Tests in a real browser. They are in ../tests/e2e and need `WARAQ_SERVER`, the path of the local server's binary.
 */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // The tests' dependencies are installed in this folder, not next to the tests.
  resolve: {
    alias: {
      'playwright-core': fileURLToPath(new URL('./node_modules/playwright-core', import.meta.url)),
      vitest: fileURLToPath(new URL('./node_modules/vitest', import.meta.url)),
    },
  },
  server: { fs: { allow: ['..'] } },
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    environment: 'node',
    // Each file has its own server and browser. They mostly wait, so two files fit two processors.
    maxWorkers: 2,
    // A busy machine may be slow.
    expect: { poll: { timeout: 60_000, interval: 100 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
