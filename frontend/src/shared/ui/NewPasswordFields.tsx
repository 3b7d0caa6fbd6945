import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { PasswordField } from './PasswordField';

interface NewPasswordFieldsProps {
  label: string;
  /** The name of the password's input. The input of its repetition is named `confirmation`. */
  name: 'password' | 'newPassword';
  password: string;
  confirmation: string;
  onPassword: (password: string) => void;
  onConfirmation: (confirmation: string) => void;
  errors: Record<'password' | 'confirmation', ReactNode>;
  /** Renders the strength in an element with this id, which screen readers announce with the field. */
  renderStrength: (id: string) => ReactNode;
  autoFocus?: boolean;
}

/** Fields for a new password with its strength, and its repetition. */
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
        {props.renderStrength(strengthId)}
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
