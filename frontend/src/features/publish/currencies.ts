import type { Currency } from '@/api/types';

/** The currencies that amounts are said in, each with the countries that have it. */
const COUNTRIES: Record<Currency, string[]> = {
  MAD: ['MA', 'EH'],
  DZD: ['DZ'],
  TND: ['TN'],
  LYD: ['LY'],
  EGP: ['EG'],
  SDG: ['SD'],
  SAR: ['SA'],
  AED: ['AE'],
  QAR: ['QA'],
  KWD: ['KW'],
  BHD: ['BH'],
  OMR: ['OM'],
  YER: ['YE'],
  JOD: ['JO'],
  IQD: ['IQ'],
  LBP: ['LB'],
  SYP: ['SY'],
  EUR: ['FR', 'BE', 'LU', 'DE', 'AT', 'IE', 'ES', 'PT', 'IT', 'NL', 'FI', 'GR', 'MT', 'CY', 'MC'],
  USD: ['US'],
  CAD: ['CA'],
  GBP: ['GB'],
  CHF: ['CH', 'LI'],
};

export const CURRENCIES = Object.keys(COUNTRIES) as Currency[];

/** What a country pays in; null where none of these. */
export function currencyOf(country: string | null): Currency | null {
  return CURRENCIES.find((code) => country !== null && COUNTRIES[code].includes(country)) ?? null;
}
