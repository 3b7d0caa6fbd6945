import { isAllowedPassword } from '@/shared/password';
import { LIMITS } from '@/shared/settings';

export interface Registration {
  userName: string;
  email: string;
  password: string;
  confirmation: string;
  terms: boolean;
}

export type RegistrationProblem =
  'errorFillFields' | 'userNameLength' | 'passwordLength' | 'errorPasswordsMismatch' | 'errorAgreeTerms';

const FIELDS = ['userName', 'email', 'password', 'confirmation'] as const;

/** The fields that are empty. */
export function emptyFields(form: Registration): (keyof Registration)[] {
  return FIELDS.filter((field) => !form[field].trim());
}

/** The first thing that keeps a registration from being sent (specification §5, design §3), and its field. */
export function registrationProblem(
  form: Registration,
): { problem: RegistrationProblem; field: keyof Registration } | null {
  const [empty] = emptyFields(form);
  if (empty) return { problem: 'errorFillFields', field: empty };
  if ([...form.userName.trim()].length > LIMITS.userNameCharacters)
    return { problem: 'userNameLength', field: 'userName' };
  if (!isAllowedPassword(form.password)) return { problem: 'passwordLength', field: 'password' };
  if (form.password !== form.confirmation)
    return { problem: 'errorPasswordsMismatch', field: 'confirmation' };
  if (!form.terms) return { problem: 'errorAgreeTerms', field: 'terms' };
  return null;
}
