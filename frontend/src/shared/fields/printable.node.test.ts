// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';

import { PRINTABLE_RANGES, unprintableCharacters } from './printable';

const FONTS = resolve(import.meta.dirname, '../../../../crates/fonts/files');

/** Returns the characters of a TrueType font: its table `cmap`, formats 4 and 12. */
function charactersOf(path: string): number[] {
  const bytes = readFileSync(path);
  const tables = Array.from({ length: bytes.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const record = tables.find((at) => bytes.toString('latin1', at, at + 4) === 'cmap') ?? 0;
  const cmap = bytes.readUInt32BE(record + 8);
  const found: number[] = [];
  for (let index = 0; index < bytes.readUInt16BE(cmap + 2); index++) {
    const at = cmap + bytes.readUInt32BE(cmap + 8 + 8 * index);
    const format = bytes.readUInt16BE(at);
    if (format === 12) {
      for (let group = 0; group < bytes.readUInt32BE(at + 12); group++) {
        const [first, last] = [16, 20].map((offset) => bytes.readUInt32BE(at + offset + 12 * group));
        for (let code = first ?? 0; code <= (last ?? -1); code++) found.push(code);
      }
    } else if (format === 4) {
      const size = bytes.readUInt16BE(at + 6);
      const part = (number: number, offset: number) =>
        at + 14 + number * size + (number > 0 ? 2 : 0) + offset;
      for (let offset = 0; offset < size; offset += 2) {
        const [last, first] = [bytes.readUInt16BE(part(0, offset)), bytes.readUInt16BE(part(1, offset))];
        const [delta, range] = [bytes.readUInt16BE(part(2, offset)), bytes.readUInt16BE(part(3, offset))];
        for (let code = first; code <= last && code !== 0xffff; code++) {
          const glyph =
            range === 0
              ? (code + delta) & 0xffff
              : bytes.readUInt16BE(part(3, offset) + range + 2 * (code - first));
          if (glyph !== 0) found.push(code);
        }
      }
    }
  }
  return found;
}

it('the printable characters are those of the fonts', () => {
  const characters = new Set(
    readdirSync(FONTS)
      .filter((name) => name.endsWith('.ttf'))
      .flatMap((name) => charactersOf(resolve(FONTS, name))),
  );
  const ranges: [number, number][] = [];
  for (const code of [...characters].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  let before = 0;
  const written = ranges
    .map(([first, last]) => {
      const [gap, length] = [first - before, last - first];
      before = last;
      return length > 0 ? `${gap.toString(36)}-${length.toString(36)}` : gap.toString(36);
    })
    .join(' ');
  // After a change of the fonts, replace the ranges with this text.
  expect(PRINTABLE_RANGES.join(' ')).toBe(written);
});

it.each([
  ['Amina Ben Salah, 12 rue de l’Église', ''],
  ['محمّد بن علي · 1,500 د.ت', ''],
  ['Ελλάδα, Москва, שלום', ''],
  ['two\nlines\tand\u00a0spaces\u200f', ''],
  // A letter and its accent are printed as one character.
  ['e\u0301', ''],
  ['李明 and 李', '李明'],
  ['नमस्ते', 'नमस्\u0947त'],
  // A font of symbols has the thumb, but not its colour.
  ['Thanks 😀👍🏽', '😀🏽'],
  ['👨‍👩‍👧', '👨👩👧'],
])('%s', (text, expected) => {
  expect([...unprintableCharacters(text)].sort()).toEqual([...expected].sort());
});
