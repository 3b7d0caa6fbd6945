import { expect, it } from 'vitest';

import { registrationProblems, type Registration } from './registration';

const whole: Registration = {
  userName: 'Amal',
  email: 'amal@example.org',
  password: 'correct horse',
  confirmation: 'correct horse',
  terms: true,
  remember: false,
};

it('a whole form has no problem, whatever its password is made of', () => {
  expect(registrationProblems(whole)).toEqual({});
  const password = '  two  words ';
  expect(registrationProblems({ ...whole, password, confirmation: password })).toEqual({});
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
  expect(registrationProblems({ ...whole, ...change })).toEqual({ [field]: problem });
});

it('tells everything that is wrong at once', () => {
  const blank = {
    ...whole,
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
  expect(registrationProblems({ ...whole, userName: '', password: 'short', terms: false })).toEqual({
    userName: 'errorFillFields',
    password: 'passwordLength',
    confirmation: 'errorPasswordsMismatch',
    terms: 'errorAgreeTerms',
  });
});
