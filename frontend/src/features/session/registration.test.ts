import { expect, it } from 'vitest';

import { emptyFields, registrationProblem, type Registration } from './registration';

const whole: Registration = {
  userName: 'Amal',
  email: 'amal@example.org',
  password: 'correct horse',
  confirmation: 'correct horse',
  terms: true,
};

it('a whole form has no problem, even with a password of eight spaces', () => {
  expect(registrationProblem(whole)).toBeNull();
  const spaces = ' '.repeat(8);
  expect(registrationProblem({ ...whole, password: spaces, confirmation: spaces })).toBeNull();
});

it.each([
  [{ userName: '  ' }, 'errorFillFields', 'userName'],
  [{ email: '' }, 'errorFillFields', 'email'],
  [{ password: '', confirmation: '' }, 'errorFillFields', 'password'],
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
