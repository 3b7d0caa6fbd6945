import { describe, expect, it } from 'vitest';

import { caretAfterGrouping, numberStyle, groupDigits } from './amounts';

const en = numberStyle('en', 'GB');
const fr = numberStyle('fr', 'FR');

/** Returns the text in the input after these keys. */
function textAfterTyping(keys: string, style = en): string {
  return [...keys].reduce((text, key) => groupDigits(text, text + key, style), '');
}

describe('amounts', () => {
  it('group digits during typing, in the style of the template', () => {
    expect(textAfterTyping('1500')).toBe('1,500');
    expect(textAfterTyping('1234567.89')).toBe('1,234,567.89');
    expect(textAfterTyping('1500,5', fr)).toBe('1\u00a0500,5');
    expect(textAfterTyping('1500', numberStyle('ar', 'EG'))).toBe('1,500');
    expect(textAfterTyping('1500', numberStyle('ar', 'MA'))).toBe('1\u00a0500');
    expect(textAfterTyping('€1500')).toBe('€1,500');
    expect(textAfterTyping('-1500 EUR')).toBe('-1,500 EUR');
  });

  it('are grouped again after a change inside and after pasting', () => {
    expect(groupDigits('1,500', '1,50', en)).toBe('150');
    expect(groupDigits('1,500', '12,500', en)).toBe('12,500');
    expect(groupDigits('', '1500000', en)).toBe('1,500,000');
    expect(groupDigits('1,500 EUR', '11,500 EUR', en)).toBe('11,500 EUR');
  });

  it('are written in the style of the template when a plain number is pasted', () => {
    expect(groupDigits('', '12500.75', fr)).toBe('12\u00a0500,75');
    expect(groupDigits('', '12500,75', fr)).toBe('12\u00a0500,75');
    expect(groupDigits('', '12500,75', en)).toBe('12,500.75');
    expect(groupDigits('12', '12500.5 EUR', fr)).toBe('12\u00a0500,5 EUR');
    // Three digits could be a group or decimals.
    expect(groupDigits('', '12.500', fr)).toBe('12.500');
    expect(groupDigits('', '01.02.2026', fr)).toBe('01.02.2026');
  });

  it('have the decimal separator of the template when a point is typed', () => {
    expect(textAfterTyping('1500.5', fr)).toBe('1\u00a0500,5');
    expect(textAfterTyping('1500.5 EUR', fr)).toBe('1\u00a0500,5 EUR');
    expect(textAfterTyping('1500.5', numberStyle('ar', 'MA'))).toBe('1\u00a0500,5');
    expect(textAfterTyping('1500.5', numberStyle('ar', 'EG'))).toBe('1,500.5');
    expect(textAfterTyping('١٥٠٠.٥', numberStyle('ar', 'EG'))).toBe('١٥٠٠٫٥');
    expect(textAfterTyping('0.5', fr)).toBe('0,5');
    expect(groupDigits('1500', '15.00', fr)).toBe('15,00');
  });

  it('stay as typed if they are in another style or are no amounts', () => {
    expect(textAfterTyping('1,50')).toBe('1,50');
    expect(textAfterTyping('1.500,00')).toBe('1.500,00');
    expect(textAfterTyping('01.02.2026', fr)).toBe('01.02.2026');
    expect(textAfterTyping('art. 5', fr)).toBe('art. 5');
    expect(textAfterTyping('0612345678')).toBe('0612345678');
    expect(textAfterTyping('١٥٠٠')).toBe('١٥٠٠');
    expect(textAfterTyping('12 to 15')).toBe('12 to 15');
    expect(groupDigits('', '1234567890123456', en)).toBe('1234567890123456');
    expect(groupDigits('', '1 500,00', en)).toBe('1 500,00');
  });

  it('keep the caret after its digit', () => {
    expect(caretAfterGrouping('1,500', '1500', 4, en)).toBe(5);
    expect(caretAfterGrouping('12,500', '12500', 2, en)).toBe(2);
    expect(caretAfterGrouping('1,500', '1500', 1, en)).toBe(1);
    expect(caretAfterGrouping('1,500,000', '1,500000', 5, en)).toBe(5);
  });
});
