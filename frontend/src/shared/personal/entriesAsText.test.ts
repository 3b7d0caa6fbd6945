import { expect, it } from 'vitest';

import type { Entry, EntryKind } from './entry';
import { entriesAsText } from './entriesAsText';

const entry = (kind: EntryKind, value: unknown) => ({ kind, value }) as Entry;

it('contains the input of forms, saves and messages, without ids', () => {
  const text = entriesAsText([
    entry('draft', {
      values: { Name: 'أمينة', Empty: ' ' },
      blank: true,
      filling: 'f1',
      edit: { title: 'Lease', version: 1 },
    }),
    entry('save', { key: 'k1', title: 'Letter', body: { fieldsAndValues: [{ Sum: '5' }, { Date: '' }] } }),
    entry('message', { email: 'a@example.org', message: 'Hello', sending: null }),
    entry('answers', { on: true, answers: [] }),
  ]);
  expect(text.split('\r\n')).toEqual([
    'Lease',
    'Name: أمينة',
    '',
    'Letter',
    'Sum: 5',
    '',
    'email: a@example.org',
    'message: Hello',
  ]);
});

it('contains the rows of lists below their names, and the answer yes', () => {
  const values = {
    Items: [{ What: 'Chair', Parts: [{ Size: 'XL' }] }, { What: 'Table', Gift: true }, { What: '' }],
    Guarantor: true,
    Witness: false,
    Logo: { image: 'data:image/png;base64,iVBORw0KGgo=' },
  };
  const text = entriesAsText([entry('draft', { values })]);
  expect(text.split('\r\n')).toEqual([
    'Items:',
    '  What: Chair',
    '  Parts:',
    '    Size: XL',
    '  -',
    '  What: Table',
    '  Gift: ☑',
    'Guarantor: ☑',
  ]);
});
