import { expect, it } from 'vitest';

import { registrationProblems, type Registration } from './registration';

const validRegistration: Registration = {
  userName: 'Amal',
  email: 'amal@example.org',
  password: 'correct horse',
  confirmation: 'correct horse',
  terms: true,
  remember: false,
};

it('a complete form has no problem, with any characters in the password', () => {
  expect(registrationProblems(validRegistration)).toEqual({});
  const password = '  two  words ';
  expect(registrationProblems({ ...validRegistration, password, confirmation: password })).toEqual({});
});

it.each([
  [{ userName: '  ' }, 'userName', 'errorFillFields'],
  [{ email: '' }, 'email', 'errorFillFields'],
  [{ userName: 'n'.repeat(61) }, 'userName', 'userNameLength'],
  [{ password: '1234567', confirmation: '1234567' }, 'password', 'passwordLength'],
  [{ password: 'p'.repeat(257), confirmation: 'p'.repeat(257) }, 'password', 'passwordLength'],
  [{ confirmation: '' }, 'confirmation', 'errorFillFields'],
  [{ confirmation: 'correct horsf' }, 'confirmation', 'errorPasswordsMismatch'],
  [{ terms: false }, 'terms', 'errorAgreeTerms'],
])('%j: %s has %s', (change, field, problem) => {
  expect(registrationProblems({ ...validRegistration, ...change })).toEqual({ [field]: problem });
});

it('returns all problems at once', () => {
  const blank = {
    ...validRegistration,
    userName: '',
    email: ' ',
    password: ' '.repeat(8),
    confirmation: '',
    terms: false,
  };
  expect(registrationProblems(blank)).toEqual({
    userName: 'errorFillFields',
    email: 'errorFillFields',
    password: 'errorFillFields',
    confirmation: 'errorFillFields',
    terms: 'errorAgreeTerms',
  });
  expect(
    registrationProblems({ ...validRegistration, userName: '', password: 'short', terms: false }),
  ).toEqual({
    userName: 'errorFillFields',
    password: 'passwordLength',
    confirmation: 'errorPasswordsMismatch',
    terms: 'errorAgreeTerms',
  });
});
