import { expect, it } from 'vitest';

import { emptyFields, registrationProblem, type Registration } from './registration';

const whole: Registration = {
  userName: 'Amal',
  email: 'amal@example.org',
  password: 'correct horse',
  confirmation: 'correct horse',
  terms: true,
};

it('a whole form has no problem, whatever its password is made of', () => {
  expect(registrationProblem(whole)).toBeNull();
  const password = '  two  words ';
  expect(registrationProblem({ ...whole, password, confirmation: password })).toBeNull();
});

it.each([
  [{ userName: '  ' }, 'errorFillFields', 'userName'],
  [{ email: '' }, 'errorFillFields', 'email'],
  [{ password: '', confirmation: '' }, 'errorFillFields', 'password'],
  [{ password: ' '.repeat(8), confirmation: ' '.repeat(8) }, 'errorFillFields', 'password'],
  [{ confirmation: '' }, 'errorFillFields', 'confirmation'],
  [{ userName: 'n'.repeat(61) }, 'userNameLength', 'userName'],
  [{ password: '1234567', confirmation: '1234567' }, 'passwordLength', 'password'],
  [{ password: 'p'.repeat(257), confirmation: 'p'.repeat(257) }, 'passwordLength', 'password'],
  [{ confirmation: 'correct horsf' }, 'errorPasswordsMismatch', 'confirmation'],
  [{ terms: false }, 'errorAgreeTerms', 'terms'],
])('%j: %s at %s', (change, problem, field) => {
  expect(registrationProblem({ ...whole, ...change })).toEqual({ problem, field });
});

it('names every empty field', () => {
  expect(emptyFields({ ...whole, userName: '', email: ' ' })).toEqual(['userName', 'email']);
});
