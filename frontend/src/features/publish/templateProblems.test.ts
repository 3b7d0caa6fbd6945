import { expect, it } from 'vitest';

import { fileProblem } from './templateProblems';

it.each([
  ['lease.docx', null],
  ['LEASE.DOCX', null],
  ['lease.doc', 'otherWord'],
  ['lease.dotx', 'otherWord'],
  ['lease.rtf', 'otherWord'],
  ['lease.docm', 'withMacros'],
  ['lease.odt', 'otherProgram'],
  ['lease.pages', 'otherProgram'],
  ['lease.v2.pdf', 'isPdf'],
  ['photo.png', 'notDocx'],
])('%s is told how it can be saved as .docx: %s', (name, problem) => {
  expect(fileProblem({ name, size: 1 })).toBe(problem);
});
