import { Textarea, type TextareaProps } from '@mantine/core';
import { useRef, type ChangeEvent, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { DerivedValue } from '@/shared/pages/messages';
import { Combobox } from '@/shared/ui/Combobox';
import { replaceAsTyped } from '@/shared/ui/replaceAsTyped';
import { useEmailHint } from '@/shared/ui/useEmailHint';

import { caretAfterGrouping, numberStyle, groupDigits } from './amounts';
import { CellTextarea } from './CellTextarea';
import { ChoiceInput } from './ChoiceInput';
import { DateButton } from './DateButton';
import { DerivedInput } from './DerivedInput';
import type { FieldSettings } from './fieldSettings';
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
  /** The path and the accessible name of a cell in a list. A cell shows no label, and grows with its text. */
  cell?: { path: string; name: string } | undefined;
  onFocus: () => void;
  onChange: (value: string) => void;
}

/** The common properties of all inputs of a form. */
export interface CommonInputProps {
  'data-input': string;
  'aria-label'?: string;
  label: ReactNode;
  description: ReactNode;
  error: ReactNode;
  value: string;
  autoComplete: string;
  onFocus: () => void;
}

/**
 * The text input of a field or of a cell in a list, with the additions of its kind. The text is printed as it was
 * typed; every kind accepts any text.
 */
export function FieldInput(props: FieldInputProps) {
  const { settings, value, error, lang, country, derivedValue, labelOf, offeredAnswers } = props;
  const { cell, onFocus, onChange } = props;
  const { field, kind } = settings;
  const commonProps: CommonInputProps = {
    ...(cell
      ? { 'data-input': cell.path, 'aria-label': cell.name, label: undefined, description: undefined }
      : {
          'data-input': field,
          label: <bdi>{settings.label || field}</bdi>,
          description: hasDescription(settings) ? <FieldDescription settings={settings} /> : undefined,
        }),
    error,
    value,
    autoComplete: 'off',
    onFocus,
  };
  const textareaProps = { ...commonProps, autosize: true, minRows: 1, maxRows: 12 };
  const leftToRightProps = { classNames: { input: classes['leftToRight'] ?? '' } };
  if (settings.derivation) {
    const { derivation } = settings;
    return (
      <DerivedInput
        input={cell ? commonProps : textareaProps}
        isCell={cell !== undefined}
        {...{ derivation, derivedValue, labelOf, onChange }}
      />
    );
  }
  const typed = (event: ChangeEvent<HTMLTextAreaElement>) => onChange(event.currentTarget.value);
  if (cell && kind !== 'choice') {
    return <CellText input={commonProps} {...{ settings, lang, country, onChange }} />;
  }
  const answers = settings.meaning && offeredAnswers;
  switch (kind) {
    case 'choice':
      // A value of several lines cannot be a choice. It is kept and edited as text.
      if (value.includes('\n')) {
        return cell ? (
          <CellTextarea {...commonProps} onChange={typed} />
        ) : (
          <Textarea {...textareaProps} onChange={typed} />
        );
      }
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
        <EmailInput
          offeredAnswers={answers}
          input={{ ...textareaProps, ...leftToRightProps }}
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
    default:
      // Lists, yes/no fields and pictures have inputs of their own.
      return null;
  }
}

interface CellTextProps extends Pick<FieldInputProps, 'settings' | 'lang' | 'country' | 'onChange'> {
  input: CommonInputProps;
}

/** The text input of a cell, with the additions of its kind. */
function CellText({ input, settings, lang, country, onChange }: CellTextProps) {
  const typed = (event: ChangeEvent<HTMLTextAreaElement>) => onChange(event.currentTarget.value);
  const amountHandlers = useAmountHandlers(input.value, lang, country, onChange);
  switch (settings.kind) {
    case 'amount':
      return <CellTextarea {...input} inputMode="decimal" {...amountHandlers} />;
    case 'number':
      return <CellTextarea {...input} inputMode="decimal" onChange={typed} />;
    case 'date':
      return (
        <CellTextarea
          {...input}
          rightSection={
            <DateButton
              settings={{ ...settings, label: input['aria-label'] ?? '' }}
              value={input.value}
              lang={lang}
              country={country}
              onPick={onChange}
            />
          }
          onChange={typed}
        />
      );
    case 'email':
      return (
        <CellTextarea
          {...input}
          isLeftToRight
          inputMode="email"
          autoCapitalize="off"
          spellCheck={false}
          onChange={typed}
        />
      );
    case 'phone':
      return <CellTextarea {...input} isLeftToRight inputMode="tel" onChange={typed} />;
    default:
      return <CellTextarea {...input} onChange={typed} />;
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

/** The input of an e-mail address, with a hint if the address seems incomplete. */
function EmailInput({ offeredAnswers, input, onChange }: AnswerTextareaProps & { input: CommonInputProps }) {
  const { emailHint, onEmailFocus, onEmailBlur } = useEmailHint(input.value);
  return (
    <AnswerTextarea
      offeredAnswers={offeredAnswers}
      input={{
        ...input,
        description:
          input.description || emailHint ? (
            <>
              {input.description} {emailHint && <strong>{emailHint}</strong>}
            </>
          ) : undefined,
        inputMode: 'email',
        autoComplete: 'email',
        autoCapitalize: 'off',
        spellCheck: false,
        onFocus: () => {
          onEmailFocus();
          input.onFocus();
        },
        onBlur: onEmailBlur,
      }}
      onChange={onChange}
    />
  );
}

export function hasDescription({ hint, example }: FieldSettings): boolean {
  return Boolean(hint || example);
}

/** The hint and the example below a field's label. */
export function FieldDescription({ settings: { hint, example } }: { settings: FieldSettings }) {
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
  input: CommonInputProps & TextareaProps & { value: string };
  lang: string;
  country: string | null;
  onChange: (value: string) => void;
}

/** An amount of money whose digits are grouped during typing. */
function AmountInput({ input, lang, country, onChange }: AmountInputProps) {
  const amountHandlers = useAmountHandlers(input.value, lang, country, onChange);
  return <Textarea {...input} inputMode="decimal" {...amountHandlers} />;
}

/**
 * Returns the handlers of an input whose digits are grouped during typing. The decimal key of the keypad types the
 * separator of the template's language.
 */
function useAmountHandlers(
  value: string,
  lang: string,
  country: string | null,
  onChange: (value: string) => void,
) {
  const isReplacing = useRef(false);
  const style = numberStyle(lang, country);
  const groupWhileTyping = (event: ChangeEvent<HTMLTextAreaElement>) => {
    const element = event.currentTarget;
    const typed = element.value;
    const { inputType = '' } = event.nativeEvent as InputEvent;
    // After an undo the digits are not grouped again.
    const grouped =
      isReplacing.current || inputType.startsWith('history') ? typed : groupDigits(value, typed, style);
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
  const typeDecimal = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { code, key, ctrlKey, altKey, metaKey } = event;
    if (code !== 'NumpadDecimal' || !/^[.,]$/.test(key) || key === style.decimal) return;
    if (ctrlKey || altKey || metaKey) return;
    // In a browser that does not support simulated typing, the key types its own character.
    if (document.execCommand('insertText', false, style.decimal)) event.preventDefault();
  };
  return { onChange: groupWhileTyping, onKeyDown: typeDecimal };
}
