import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { PasswordField } from '@/shared/ui/PasswordField';

import classes from './AccountPage.module.css';
import type { Edits, Field } from './edits';
import { strengthHint } from './strengthHint';

interface PasswordFieldsProps {
  edits: Edits;
  change: (edits: Partial<Edits>) => void;
  errorOf: (field: Field) => string | null;
}

/** The old password, the new one with a hint of its strength, and the new one again. */
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
      <div>
        <PasswordField
          label={t('resetPage.newPassword')}
          name="newPassword"
          autoComplete="new-password"
          aria-describedby="strength-hint"
          error={errorOf('newPassword')}
          value={edits.newPassword}
          onChange={(event) => change({ newPassword: event.currentTarget.value })}
        />
        <Text
          id="strength-hint"
          size="sm"
          mt={4}
          c={hint === 'weak' ? 'var(--harm)' : 'dimmed'}
          aria-live="polite"
        >
          {hint ? t(`accountPage.${hint}`) : t('password.rule')}
        </Text>
      </div>
      <PasswordField
        label={t('password.confirm')}
        name="confirmation"
        autoComplete="new-password"
        error={errorOf('confirmation')}
        value={edits.confirmation}
        onChange={(event) => change({ confirmation: event.currentTarget.value })}
      />
    </div>
  );
}
