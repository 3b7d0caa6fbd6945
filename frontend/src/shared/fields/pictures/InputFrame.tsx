import { Input } from '@mantine/core';
import { useId, type ClipboardEventHandler, type ReactNode, type Ref } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './pictures.module.css';

/** The properties that picture and signature inputs have in common. */
export interface PictureFieldProps {
  /** The name of the field, by which the form finds the control to focus. */
  field: string;
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  onFocus?: () => void;
}

interface InputFrameProps extends PictureFieldProps {
  frameRef?: Ref<HTMLDivElement>;
  onPaste?: ClipboardEventHandler;
  children: ReactNode;
}

/** The label, hint and error around controls that belong to one field. */
export function InputFrame({
  field,
  label,
  description,
  error,
  frameRef,
  onFocus,
  onPaste,
  children,
}: InputFrameProps) {
  const { i18n } = useTranslation();
  const id = useId();
  const describedBy = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div
      ref={frameRef}
      role="group"
      data-field={field}
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy || undefined}
      onFocus={onFocus}
      onPaste={onPaste}
    >
      <Input.Label labelElement="div" id={`${id}-label`} className={classes['label'] ?? ''}>
        <bdi>{label}</bdi>
      </Input.Label>
      {description && (
        <Input.Description id={`${id}-description`} mb={4}>
          {description}
        </Input.Description>
      )}
      {/* The text around may be in the template's language. */}
      <div className={classes['controls']} lang={i18n.language}>
        {children}
      </div>
      {error && (
        <Input.Error id={`${id}-error`} mt={4}>
          {error}
        </Input.Error>
      )}
    </div>
  );
}
