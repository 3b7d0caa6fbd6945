import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { EyeIcon, EyeOffIcon } from './icons';

/** A password input, hidden until its eye button is pressed. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  const [visible, setVisible] = useState(false);
  // Mantine does not link the error to this input, unlike to all others, so it is linked for screen readers here.
  const errorId = useId();
  const { error } = props;
  const describedBy = [props['aria-describedby'], error && error !== true ? errorId : null].filter(Boolean);
  return (
    <PasswordInput
      dir="ltr"
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleIcon={({ reveal }) => (reveal ? <EyeOffIcon /> : <EyeIcon />)}
      visibilityToggleButtonProps={{
        'aria-label': visible ? t('password.hide') : t('password.show'),
        tabIndex: 0,
      }}
      {...props}
      errorProps={{ id: errorId }}
      aria-invalid={Boolean(error)}
      aria-describedby={describedBy.join(' ') || undefined}
    />
  );
}
