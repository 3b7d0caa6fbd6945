import { useTranslation } from 'react-i18next';

import { foldForSearch } from '@/shared/foldForSearch';
import { Combobox } from '@/shared/ui/Combobox';

import type { CommonInputProps } from './FieldInput';

interface ChoiceInputProps {
  input: CommonInputProps;
  choices: string[];
  lang: string;
  onChange: (value: string) => void;
}

/** Returns the choices that contain `typed`, or all of them if it is empty or is a choice itself. */
function matchingChoices(choices: string[], typed: string): string[] {
  const searched = foldForSearch(typed);
  if (!searched || choices.some((choice) => foldForSearch(choice) === searched)) return choices;
  return choices.filter((choice) => foldForSearch(choice).includes(searched));
}

/** A text input with a list of choices; other values can be typed too. */
export function ChoiceInput({ input, choices, lang, onChange }: ChoiceInputProps) {
  const { t } = useTranslation();
  return (
    <Combobox
      input={{ ...input, onChange: (event) => onChange(event.currentTarget.value) }}
      options={matchingChoices(choices, input.value)}
      label={t('fieldInput.choices')}
      lang={lang}
      // Enter does not generate the document, as in the other inputs.
      onEnter={() => undefined}
      onChange={onChange}
    />
  );
}
