import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { PasswordField } from './PasswordField';

interface NewPasswordFieldsProps {
  label: string;
  /** Of the password's input; that of its confirmation is `confirmation`. */
  name: 'password' | 'newPassword';
  password: string;
  confirmation: string;
  onPassword: (password: string) => void;
  onConfirmation: (confirmation: string) => void;
  errors: Record<'password' | 'confirmation', ReactNode>;
  /** How strong the password is, in an element of this id: it is read out with the field. */
  strength: (id: string) => ReactNode;
  autoFocus?: boolean;
}

/** A password somebody thinks of, how strong it is, and the password again. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { t } = useTranslation();
  const strengthId = `${props.name}-strength`;
  return (
    <>
      <div>
        <PasswordField
          label={props.label}
          name={props.name}
          autoComplete="new-password"
          aria-describedby={strengthId}
          autoFocus={props.autoFocus ?? false}
          error={props.errors.password}
          value={props.password}
          onChange={(event) => props.onPassword(event.currentTarget.value)}
        />
        {props.strength(strengthId)}
      </div>
      <PasswordField
        label={t('password.confirm')}
        name="confirmation"
        autoComplete="new-password"
        error={props.errors.confirmation}
        value={props.confirmation}
        onChange={(event) => props.onConfirmation(event.currentTarget.value)}
      />
    </>
  );
}
