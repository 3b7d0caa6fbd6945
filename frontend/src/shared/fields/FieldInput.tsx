import { Textarea, type TextareaProps } from '@mantine/core';
import { useRef, type ChangeEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { FieldHelp } from '@/api/types';
import type { Said } from '@/shared/pages/messages';
import { Combobox } from '@/shared/ui/Combobox';
import { typeOver } from '@/shared/ui/typeOver';

import { caretIn, numberStyle, regrouped } from './amounts';
import { ChoiceInput } from './ChoiceInput';
import { DateButton } from './DateButton';
import { DerivedInput } from './DerivedInput';
import classes from './fields.module.css';

export interface FieldInputProps {
  help: FieldHelp;
  value: string;
  error: ReactNode;
  /** The template's language (BCP 47) and country, which determine how values are written. */
  lang: string;
  country: string | null;
  /** The value of a derived field. */
  said: Said | undefined;
  /** Returns the label of a field. */
  labelOf: (field: string) => string;
  /** Saved answers that fit the field and its current value; null if none are offered. */
  offered: string[] | null;
  onFocus: () => void;
  onChange: (value: string) => void;
}

/** The common properties of all inputs of a form. */
export interface InputProps {
  'data-input': string;
  label: ReactNode;
  description: ReactNode;
  error: ReactNode;
  value: string;
  autoComplete: string;
  onFocus: () => void;
}

/**
 * The text input of a field, with the additions of its kind. The text is printed as typed: no kind refuses any
 * input.
 */
export function FieldInput(props: FieldInputProps) {
  const { help, value, error, lang, country, said, labelOf, offered, onFocus, onChange } = props;
  const { field, kind } = help;
  const common: InputProps = {
    'data-input': field,
    label: <bdi>{help.label || field}</bdi>,
    description: help.hint || help.example ? <Described help={help} /> : undefined,
    error,
    value,
    autoComplete: 'off',
    onFocus,
  };
  const lines = { ...common, autosize: true, minRows: 1, maxRows: 12 };
  const leftToRight = { classNames: { input: classes['leftToRight'] ?? '' } };
  if (help.derivation) {
    const { derivation } = help;
    return <DerivedInput input={lines} {...{ derivation, said, labelOf, onChange }} />;
  }
  const typed = (event: ChangeEvent<HTMLTextAreaElement>) => onChange(event.currentTarget.value);
  const known = help.meaning && offered;
  switch (kind) {
    case 'choice':
      // A value of several lines cannot be a choice. It is kept and edited as text.
      if (value.includes('\n')) return <Textarea {...lines} onChange={typed} />;
      return <ChoiceInput input={common} choices={help.choices ?? []} lang={lang} onChange={onChange} />;
    case 'date':
      return (
        <Textarea
          {...lines}
          rightSectionWidth={40}
          rightSection={
            <DateButton help={help} value={value} lang={lang} country={country} onPick={onChange} />
          }
          onChange={typed}
        />
      );
    case 'amount':
      return <AmountInput input={lines} lang={lang} country={country} onChange={onChange} />;
    case 'number':
      return <Textarea {...lines} inputMode="decimal" onChange={typed} />;
    case 'email':
      return (
        <Lines
          known={known}
          input={{
            ...lines,
            ...leftToRight,
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
        <Lines
          known={known}
          input={{ ...lines, ...leftToRight, inputMode: 'tel', autoComplete: 'tel' }}
          onChange={onChange}
        />
      );
    case 'long_text':
      return <Lines known={known} input={{ ...lines, minRows: 3 }} onChange={onChange} />;
    case 'text':
      return <Lines known={known} input={lines} onChange={onChange} />;
  }
}

interface LinesProps {
  /** The offered answers; null if the field never has any. */
  known: string[] | null | undefined;
  input: TextareaProps;
  onChange: (value: string) => void;
}

/** A text input that offers saved answers. */
function Lines({ known, input, onChange }: LinesProps) {
  const { t } = useTranslation();
  const typed = (event: ChangeEvent<HTMLTextAreaElement>) => onChange(event.currentTarget.value);
  if (!known) return <Textarea {...input} onChange={typed} />;
  // The browser's own suggestions would cover this list.
  const shown = known.length > 0 ? { ...input, autoComplete: 'off' } : input;
  return (
    <Combobox
      lines
      input={{ ...shown, onChange: typed }}
      options={known}
      label={t('answers.offered')}
      titled
      opensOnFocus
      onChange={onChange}
    />
  );
}

/** The hint and the example below a field's label. */
function Described({ help: { hint, example } }: { help: FieldHelp }) {
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
  input: InputProps & { minRows: number; maxRows: number; autosize: boolean };
  lang: string;
  country: string | null;
  onChange: (value: string) => void;
}

/** An amount of money whose digits are grouped during typing. */
function AmountInput({ input, lang, country, onChange }: AmountInputProps) {
  const grouping = useRef(false);
  const style = numberStyle(lang, country);
  const group = (event: ChangeEvent<HTMLTextAreaElement>) => {
    const element = event.currentTarget;
    const typed = element.value;
    const { inputType = '' } = event.nativeEvent as InputEvent;
    // After an undo the digits are not grouped again.
    const grouped =
      grouping.current || inputType.startsWith('history') ? typed : regrouped(input.value, typed, style);
    if (grouped === typed) {
      onChange(typed);
      return;
    }
    const caret = caretIn(grouped, typed, element.selectionEnd, style);
    grouping.current = true;
    if (!typeOver(element, grouped)) onChange(grouped);
    grouping.current = false;
    element.setSelectionRange(caret, caret);
  };
  return <Textarea {...input} inputMode="decimal" onChange={group} />;
}
