import { describe, expect, it } from 'vitest';

import { caretIn, numberStyle, regrouped } from './amounts';

const en = numberStyle('en', 'GB');
const fr = numberStyle('fr', 'FR');

/** Returns the text in the input after these keys. */
function typed(keys: string, style = en): string {
  return [...keys].reduce((text, key) => regrouped(text, text + key, style), '');
}

describe('amounts', () => {
  it('groups digits as they are typed, in the way of the template', () => {
    expect(typed('1500')).toBe('1,500');
    expect(typed('1234567.89')).toBe('1,234,567.89');
    expect(typed('1500,5', fr)).toBe('1\u00a0500,5');
    expect(typed('1500', numberStyle('ar', 'EG'))).toBe('1,500');
    expect(typed('1500', numberStyle('ar', 'MA'))).toBe('1\u00a0500');
    expect(typed('€1500')).toBe('€1,500');
    expect(typed('-1500 EUR')).toBe('-1,500 EUR');
  });

  it('groups anew what is changed inside and pasted', () => {
    expect(regrouped('1,500', '1,50', en)).toBe('150');
    expect(regrouped('1,500', '12,500', en)).toBe('12,500');
    expect(regrouped('', '1500000', en)).toBe('1,500,000');
    expect(regrouped('1,500 EUR', '11,500 EUR', en)).toBe('11,500 EUR');
  });

  it('leaves alone what is written another way, or is no amount', () => {
    expect(typed('1,50')).toBe('1,50');
    expect(typed('1.500,00')).toBe('1.500,00');
    expect(typed('1500.5', fr)).toBe('1\u00a0500.5');
    expect(typed('0612345678')).toBe('0612345678');
    expect(typed('١٥٠٠')).toBe('١٥٠٠');
    expect(typed('12 to 15')).toBe('12 to 15');
    expect(regrouped('', '1234567890123456', en)).toBe('1234567890123456');
    expect(regrouped('', '1 500,00', en)).toBe('1 500,00');
  });

  it('keeps the caret behind its digit', () => {
    expect(caretIn('1,500', '1500', 4, en)).toBe(5);
    expect(caretIn('12,500', '12500', 2, en)).toBe(2);
    expect(caretIn('1,500', '1500', 1, en)).toBe(1);
    expect(caretIn('1,500,000', '1,500000', 5, en)).toBe(5);
  });
});
