import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

/** The tests in a real browser: they live in ../tests/e2e and need `WARAQ_SERVER`, the local server's binary. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // What the tests import is installed here, not beside them.
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
    // Each file has a server and a browser of its own; they mostly wait, so two fit two processors.
    maxWorkers: 2,
    // What is waited for may take its time on a busy machine.
    expect: { poll: { timeout: 60_000, interval: 100 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
