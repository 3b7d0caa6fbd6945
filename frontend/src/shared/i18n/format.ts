/**
 * Returns the locale for numbers and dates: the language and the user's country, with Western digits and the
 * Gregorian calendar. ar-SA alone would have other defaults (design §7).
 */
export function formattingLocale(language: string, country: string | null): string {
  const region = country && /^[A-Z]{2}$/.test(country) ? `-${country}` : '';
  return `${language}${region}-u-ca-gregory-nu-latn`;
}

/** Formats a list: `a, b and c`, each item isolated from the direction of the others. */
export function formatList(items: readonly string[], language: string): string {
  return new Intl.ListFormat(language).format(items.map((item) => `\u2068${item}\u2069`));
}

/** The number formats by locale. To create one takes a hundred times as long as to use it. */
const numberFormats = new Map<string, Intl.NumberFormat>();

export function formatNumber(value: number, locale: string): string {
  let format = numberFormats.get(locale);
  if (!format) {
    format = new Intl.NumberFormat(locale);
    numberFormats.set(locale, format);
  }
  return format.format(value);
}

/** Formats a file size in the units of the language: `3.4 MB`, or `30 kB` below a tenth of a megabyte. */
export function formatFileSize(bytes: number, locale: string): string {
  const small = bytes < 100_000;
  const unit = small ? 'kilobyte' : 'megabyte';
  const size = small ? Math.max(1, Math.round(bytes / 1000)) : bytes / 1_000_000;
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, style).format(size);
}

/** Formats a timestamp of the API with date and time in the local zone: `22 Nov 2026, 14:05`. */
export function formatDateTime(timestamp: string, locale: string): string {
  const style = {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  return new Intl.DateTimeFormat(locale, style).format(new Date(timestamp));
}

/** Formats a timestamp of the API (RFC 3339) as a local date: `22 Nov 2026`. */
export function formatDate(timestamp: string, locale: string): string {
  // With these options Arabic writes the month as a word; with `dateStyle` it would not.
  const style = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(locale, style).format(new Date(timestamp));
}
