import { isAllowedPassword } from '@/shared/password';
import { LIMITS } from '@/shared/settings';
import type { Problems } from '@/shared/ui/useCheckedForm';

export interface Registration {
  userName: string;
  email: string;
  password: string;
  confirmation: string;
  terms: boolean;
  /** True if the session is kept after the browser is closed. */
  remember: boolean;
}

export type RegistrationProblem =
  'errorFillFields' | 'userNameLength' | 'passwordLength' | 'errorPasswordsMismatch' | 'errorAgreeTerms';

const REQUIRED = ['userName', 'email', 'password', 'confirmation'] as const;

/** Returns everything that prevents sending a registration (specification §5, design §3). */
export function registrationProblems(form: Registration): Problems<Registration, RegistrationProblem> {
  const problems: Problems<Registration, RegistrationProblem> = {};
  if ([...form.userName.trim()].length > LIMITS.userNameCharacters) problems.userName = 'userNameLength';
  if (!isAllowedPassword(form.password)) problems.password = 'passwordLength';
  if (form.password !== form.confirmation) problems.confirmation = 'errorPasswordsMismatch';
  for (const field of REQUIRED) if (!form[field].trim()) problems[field] = 'errorFillFields';
  if (!form.terms) problems.terms = 'errorAgreeTerms';
  return problems;
}
