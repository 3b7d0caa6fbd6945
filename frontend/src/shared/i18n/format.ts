/**
 * The locale for numbers and dates: the language, the user's country, Western digits and the Gregorian calendar, which
 * ar-SA alone would not give (design §7).
 */
export function formattingLocale(language: string, country: string | null): string {
  const region = country && /^[A-Z]{2}$/.test(country) ? `-${country}` : '';
  return `${language}${region}-u-ca-gregory-nu-latn`;
}

/** `a, b and c`, each isolated from the others' direction. */
export function listFormat(items: readonly string[], language: string): string {
  return new Intl.ListFormat(language).format(items.map((item) => `\u2068${item}\u2069`));
}

export function formatNumber(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** `3.4 MB` or, below a tenth of that unit, `30 kB`, in the units of the language. */
export function formatFileSize(bytes: number, locale: string): string {
  const small = bytes < 100_000;
  const unit = small ? 'kilobyte' : 'megabyte';
  const size = small ? Math.max(1, Math.round(bytes / 1000)) : bytes / 1_000_000;
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, style).format(size);
}

/** A moment of the wire as date and time, `22 Nov 2026, 14:05`, where the reader is. */
export function formatMoment(moment: string, locale: string): string {
  const style = {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  return new Intl.DateTimeFormat(locale, style).format(new Date(moment));
}

/** A moment of the wire (RFC 3339) as a date, `22 Nov 2026`, where the reader is. */
export function formatDate(moment: string, locale: string): string {
  // Written so, and not by `dateStyle`, Arabic has its month as a word too.
  const style = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(locale, style).format(new Date(moment));
}
