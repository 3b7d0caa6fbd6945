import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { NewPasswordFields } from '@/shared/ui/NewPasswordFields';
import { PasswordField } from '@/shared/ui/PasswordField';

import classes from './AccountPage.module.css';
import type { Edits, AccountField } from './edits';
import { strengthHint } from './strengthHint';

interface PasswordFieldsProps {
  edits: Edits;
  change: (edits: Partial<Edits>) => void;
  errorOf: (field: AccountField) => ReactNode;
}

/** Fields for the old password, the new one with a hint about its strength, and its repetition. */
export function PasswordFields({ edits, change, errorOf }: PasswordFieldsProps) {
  const { t } = useTranslation();
  const hint = strengthHint(edits.newPassword);
  return (
    <div className={classes['fields']}>
      <PasswordField
        label={t('accountPage.oldPassword')}
        name="oldPassword"
        autoComplete="current-password"
        error={errorOf('oldPassword')}
        value={edits.oldPassword}
        onChange={(event) => change({ oldPassword: event.currentTarget.value })}
      />
      <span className={classes['gap']} />
      <NewPasswordFields
        label={t('resetPage.newPassword')}
        name="newPassword"
        password={edits.newPassword}
        confirmation={edits.confirmation}
        onPassword={(newPassword) => change({ newPassword })}
        onConfirmation={(confirmation) => change({ confirmation })}
        errors={{ password: errorOf('newPassword'), confirmation: errorOf('confirmation') }}
        renderStrength={(id) => (
          <Text id={id} size="sm" mt={4} c={hint === 'weak' ? 'var(--harm)' : 'dimmed'} aria-live="polite">
            {hint ? t(`accountPage.${hint}`) : t('password.rule')}
          </Text>
        )}
      />
    </div>
  );
}
