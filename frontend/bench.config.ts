import e2e from './e2e.config.ts';

/** What is measured in a real browser: started as the tests are, but it says how long things take and fails over none of it. */
export default { ...e2e, test: { ...e2e.test, include: ['tests/e2e/**/*.bench.ts'] } };
