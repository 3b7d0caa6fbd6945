// Constants of the specification (§9) in style sheets. The others are in constants.test.ts.
import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

/** Returns the value of a property in a rule of a style sheet. */
function style(file: string, selector: string, property: string): string | undefined {
  const sheet = readFileSync(new URL(file, import.meta.url), 'utf8');
  const rule = sheet.split(`${selector} {`)[1]?.split('}')[0] ?? '';
  return new RegExp(`(?:^|[\\s;])${property}: ([^;]+);`).exec(rule)?.[1];
}

it.each([
  ['height of the upload area', 'features/publish/FileDrop.module.css', '.area', 'height', '350px'],
  [
    'height of the pages, at most',
    'shared/pages/PageViewer.module.css',
    '.desk',
    'max-height',
    'var(--desk-height, 70vh)',
  ],
])('%s', (_, file, selector, property, value) => expect(style(file, selector, property)).toBe(value));
