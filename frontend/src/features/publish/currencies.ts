import type { Currency } from '@/api/types';

/** The currencies of amounts in words, with the countries that use them. */
const COUNTRIES_BY_CURRENCY: Record<Currency, string[]> = {
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

export const CURRENCIES = Object.keys(COUNTRIES_BY_CURRENCY) as Currency[];

/** Returns the currency of a country, or null if it is none of these. */
export function currencyOfCountry(country: string | null): Currency | null {
  return CURRENCIES.find((code) => country !== null && COUNTRIES_BY_CURRENCY[code].includes(country)) ?? null;
}
