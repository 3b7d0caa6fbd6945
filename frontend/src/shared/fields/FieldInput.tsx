import { Textarea, type TextareaProps } from '@mantine/core';
import { useRef, type ChangeEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldSettings } from '@/api/types';
import type { DerivedValue } from '@/shared/pages/messages';
import { Combobox } from '@/shared/ui/Combobox';
import { replaceAsTyped } from '@/shared/ui/replaceAsTyped';

import { caretAfterGrouping, numberStyle, groupDigits } from './amounts';
import { ChoiceInput } from './ChoiceInput';
import { DateButton } from './DateButton';
import { DerivedInput } from './DerivedInput';
import classes from './fields.module.css';

export interface FieldInputProps {
  settings: FieldSettings;
  value: string;
  error: ReactNode;
  /** The template's language (BCP 47) and country, which determine how values are written. */
  lang: string;
  country: string | null;
  /** The value of a derived field. */
  derivedValue: DerivedValue | undefined;
  /** Returns the label of a field. */
  labelOf: (field: string) => string;
  /** Saved answers that fit the field and its current value; null if none are offered. */
  offeredAnswers: string[] | null;
  onFocus: () => void;
  onChange: (value: string) => void;
}

/** The common properties of all inputs of a form. */
export interface CommonInputProps {
  'data-input': string;
  label: ReactNode;
  description: ReactNode;
  error: ReactNode;
  value: string;
  autoComplete: string;
  onFocus: () => void;
}

/**
 * The text input of a field, with the additions of its kind. The text is printed as it was typed; every kind accepts
 * any text.
 */
export function FieldInput(props: FieldInputProps) {
  const { settings, value, error, lang, country, derivedValue, labelOf, offeredAnswers, onFocus, onChange } =
    props;
  const { field, kind } = settings;
  const commonProps: CommonInputProps = {
    'data-input': field,
    label: <bdi>{settings.label || field}</bdi>,
    description: settings.hint || settings.example ? <FieldDescription settings={settings} /> : undefined,
    error,
    value,
    autoComplete: 'off',
    onFocus,
  };
  const textareaProps = { ...commonProps, autosize: true, minRows: 1, maxRows: 12 };
  const leftToRightProps = { classNames: { input: classes['leftToRight'] ?? '' } };
  if (settings.derivation) {
    const { derivation } = settings;
    return <DerivedInput input={textareaProps} {...{ derivation, derivedValue, labelOf, onChange }} />;
  }
  const typed = (event: ChangeEvent<HTMLTextAreaElement>) => onChange(event.currentTarget.value);
  const answers = settings.meaning && offeredAnswers;
  switch (kind) {
    case 'choice':
      // A value of several lines cannot be a choice. It is kept and edited as text.
      if (value.includes('\n')) return <Textarea {...textareaProps} onChange={typed} />;
      return (
        <ChoiceInput input={commonProps} choices={settings.choices ?? []} lang={lang} onChange={onChange} />
      );
    case 'date':
      return (
        <Textarea
          {...textareaProps}
          rightSectionWidth={40}
          rightSection={
            <DateButton settings={settings} value={value} lang={lang} country={country} onPick={onChange} />
          }
          onChange={typed}
        />
      );
    case 'amount':
      return <AmountInput input={textareaProps} lang={lang} country={country} onChange={onChange} />;
    case 'number':
      return <Textarea {...textareaProps} inputMode="decimal" onChange={typed} />;
    case 'email':
      return (
        <AnswerTextarea
          offeredAnswers={answers}
          input={{
            ...textareaProps,
            ...leftToRightProps,
            inputMode: 'email',
            autoComplete: 'email',
            autoCapitalize: 'off',
            spellCheck: false,
          }}
          onChange={onChange}
        />
      );
    case 'phone':
      return (
        <AnswerTextarea
          offeredAnswers={answers}
          input={{ ...textareaProps, ...leftToRightProps, inputMode: 'tel', autoComplete: 'tel' }}
          onChange={onChange}
        />
      );
    case 'long_text':
      return (
        <AnswerTextarea
          offeredAnswers={answers}
          input={{ ...textareaProps, minRows: 3 }}
          onChange={onChange}
        />
      );
    case 'text':
      return <AnswerTextarea offeredAnswers={answers} input={textareaProps} onChange={onChange} />;
  }
}

interface AnswerTextareaProps {
  /** The offered answers; null if the field never has any. */
  offeredAnswers: string[] | null | undefined;
  input: TextareaProps;
  onChange: (value: string) => void;
}

/** A text input that offers saved answers. */
function AnswerTextarea({ offeredAnswers, input, onChange }: AnswerTextareaProps) {
  const { t } = useTranslation();
  const typed = (event: ChangeEvent<HTMLTextAreaElement>) => onChange(event.currentTarget.value);
  if (!offeredAnswers) return <Textarea {...input} onChange={typed} />;
  // The browser's own suggestions would cover this list.
  const inputProps = offeredAnswers.length > 0 ? { ...input, autoComplete: 'off' } : input;
  return (
    <Combobox
      isMultiline
      input={{ ...inputProps, onChange: typed }}
      options={offeredAnswers}
      label={t('answers.offered')}
      showsLabel
      opensOnFocus
      onChange={onChange}
    />
  );
}

/** The hint and the example below a field's label. */
function FieldDescription({ settings: { hint, example } }: { settings: FieldSettings }) {
  const { t } = useTranslation();
  return (
    <>
      {hint && <bdi>{hint}</bdi>}
      {hint && example && ' '}
      {example && (
        <span>
          {t('fieldInput.example')} <bdi>{example}</bdi>
        </span>
      )}
    </>
  );
}

interface AmountInputProps {
  input: CommonInputProps & { minRows: number; maxRows: number; autosize: boolean };
  lang: string;
  country: string | null;
  onChange: (value: string) => void;
}

/** An amount of money whose digits are grouped during typing. */
function AmountInput({ input, lang, country, onChange }: AmountInputProps) {
  const isReplacing = useRef(false);
  const style = numberStyle(lang, country);
  const handleChange = (event: ChangeEvent<HTMLTextAreaElement>) => {
    const element = event.currentTarget;
    const typed = element.value;
    const { inputType = '' } = event.nativeEvent as InputEvent;
    // After an undo the digits are not grouped again.
    const grouped =
      isReplacing.current || inputType.startsWith('history') ? typed : groupDigits(input.value, typed, style);
    if (grouped === typed) {
      onChange(typed);
      return;
    }
    const caret = caretAfterGrouping(grouped, typed, element.selectionEnd, style);
    isReplacing.current = true;
    if (!replaceAsTyped(element, grouped)) onChange(grouped);
    isReplacing.current = false;
    element.setSelectionRange(caret, caret);
  };
  return <Textarea {...input} inputMode="decimal" onChange={handleChange} />;
}
