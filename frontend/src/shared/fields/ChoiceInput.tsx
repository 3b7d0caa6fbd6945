import { useTranslation } from 'react-i18next';

import { fold } from '@/shared/fold';
import { Combobox } from '@/shared/ui/Combobox';

import type { InputProps } from './FieldInput';

interface ChoiceInputProps {
  input: InputProps;
  choices: string[];
  lang: string;
  onChange: (value: string) => void;
}

/** Returns the choices that contain `typed`, or all of them if it is empty or is a choice itself. */
function fitting(choices: string[], typed: string): string[] {
  const wanted = fold(typed);
  if (!wanted || choices.some((choice) => fold(choice) === wanted)) return choices;
  return choices.filter((choice) => fold(choice).includes(wanted));
}

/** A text input with a list of choices; other values can be typed too. */
export function ChoiceInput({ input, choices, lang, onChange }: ChoiceInputProps) {
  const { t } = useTranslation();
  return (
    <Combobox
      input={{ ...input, onChange: (event) => onChange(event.currentTarget.value) }}
      options={fitting(choices, input.value)}
      label={t('fieldInput.choices')}
      lang={lang}
      // Enter does not generate the document, as in the other inputs.
      onEnter={() => undefined}
      onChange={onChange}
    />
  );
}
