import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Returns true for an address whose domain has no ending: `rania@example`. */
export function isIncompleteEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]*$/.test(text.trim());
}

/** Returns a hint for an address that seems incomplete. It appears when the user leaves the input. */
export function useEmailHint(value: string) {
  const { t } = useTranslation();
  const [isFocused, setFocused] = useState(false);
  return {
    emailHint: !isFocused && isIncompleteEmail(value) ? t('emailIncomplete') : null,
    onEmailFocus: () => setFocused(true),
    onEmailBlur: () => setFocused(false),
  };
}
