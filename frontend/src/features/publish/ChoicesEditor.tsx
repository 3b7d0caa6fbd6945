import { Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface ChoicesEditorProps {
  choices: string[];
  error: ReactNode;
  description: string;
  lang: string | undefined;
  disabled: boolean;
  onChange: (choices: string[]) => void;
}

/** The choices, one per line. */
export function ChoicesEditor({ choices, onChange, lang, ...input }: ChoicesEditorProps) {
  const { t } = useTranslation();
  /** The text as typed: an empty line is not a choice yet. */
  const [text, setText] = useState(choices.join('\n'));
  const parseChoices = (lines: string) =>
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  // The reset button has restored the detected choices.
  const shownText = parseChoices(text).join('\n') === choices.join('\n') ? text : choices.join('\n');
  return (
    <Textarea
      {...input}
      size="xs"
      label={t('fieldEditor.choices')}
      autosize
      minRows={2}
      maxRows={10}
      dir="auto"
      lang={lang}
      value={shownText}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setText(value);
        onChange(parseChoices(value));
      }}
    />
  );
}
