import e2e from './e2e.config.ts';

/**
 * Measurements in a real browser. They start like the browser tests, but print times and never fail because of
 * them.
 */
export default { ...e2e, test: { ...e2e.test, include: ['tests/e2e/**/*.bench.ts'] } };
