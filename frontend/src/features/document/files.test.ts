import { describe, expect, it } from 'vitest';

import { fileName } from './files';
import { areTooLong, isTooLong } from './limits';

describe('files are named after the title', () => {
  it.each([
    ['عقد إيجار سكني', 'عقد إيجار سكني.pdf'],
    ['Facture n° 12/2026', 'Facture n° 12 2026.pdf'],
    ['..\\..\\etc/passwd', 'etc passwd.pdf'],
    ['a\u202egpj', 'a gpj.pdf'],
    ['   ', 'document.pdf'],
  ])('%s', (title, expected) => expect(fileName(title, 'pdf')).toBe(expected));

  it('no longer than a file system takes', () => {
    expect([...fileName('ش'.repeat(500), 'docx')].length).toBeLessThanOrEqual(125);
  });
});

describe('limits of values', () => {
  it('counts characters, not code units', () => {
    expect(isTooLong('😀'.repeat(10_000))).toBe(false);
    expect(isTooLong('a'.repeat(10_001))).toBe(true);
  });

  it('counts all values together in bytes', () => {
    expect(areTooLong(Array.from({ length: 20 }, () => 'é'.repeat(5_000)))).toBe(false);
    expect(areTooLong(Array.from({ length: 21 }, () => 'é'.repeat(5_000)))).toBe(true);
  });
});
