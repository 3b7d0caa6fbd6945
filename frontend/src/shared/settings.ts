/** Settings of the product that are built in: addresses of the marketing site and of the mobile app, if there are any. */
function address(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//.test(value) ? value : null;
}

export const HOME_URL = address(import.meta.env['HOME_URL']);
export const APP_URL = address(import.meta.env['APP_URL']);

/** Limits the server holds too (design §3). */
export const LIMITS = {
  titleCharacters: 200,
  templateBytes: 4 * 1024 * 1024,
  templateMegabytes: 4,
  valueCharacters: 10_000,
  valuesKilobytes: 200,
} as const;
