import { onIdentityChange } from '@/shared/session/session';

import type { Registration } from './registration';

/** What was entered, without the password. */
export type LastRegistration = Pick<Registration, 'userName' | 'email' | 'terms' | 'remember'>;

let last: LastRegistration | null = null;
onIdentityChange(() => (last = null));

/** Keeps a registration until its address is verified, for a user who goes back to correct it. A reload forgets it. */
export function rememberRegistration({ userName, email, terms, remember }: Registration): void {
  last = { userName, email, terms, remember };
}

export function forgetRegistration(): void {
  last = null;
}

export function lastRegistration(): LastRegistration | null {
  return last;
}
