import { ActionIcon, Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './SearchField.module.css';
import { CloseIcon, SearchIcon } from './icons';

interface SearchFieldProps {
  text: string;
  /** The label, if the search is not by title. */
  label?: string;
  /** Called when typing pauses. */
  onChange: (title: string) => void;
}

const TYPING_PAUSE_MS = 250;

/** A search field that searches a list while the user types; the key `/` focuses it. */
export function SearchField({ text, label, onChange }: SearchFieldProps) {
  const { t } = useTranslation();
  const name = label ?? t('catalogue.search');
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  const lastSent = useRef(text);
  const send = useDebouncedCallback((text: string) => {
    lastSent.current = text;
    onChange(text);
  }, TYPING_PAUSE_MS);

  // The text follows the URL if that was changed by other means, such as the back button.
  useEffect(() => {
    if (text === lastSent.current) return;
    lastSent.current = text;
    setTyped(text);
  }, [text]);

  // The shortcut does not apply inside inputs. `useHotkeys` has this default too.
  useHotkeys([['/', () => input.current?.focus()]], ['INPUT', 'TEXTAREA', 'SELECT']);

  const type = (text: string) => {
    setTyped(text);
    send(text);
  };

  return (
    <TextInput
      ref={input}
      className={classes['search']}
      aria-label={name}
      aria-keyshortcuts="/"
      title={t('catalogue.searchShortcut')}
      placeholder={name}
      maxLength={200}
      leftSection={<SearchIcon />}
      rightSection={
        typed ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('catalogue.clearSearch')}
            onClick={() => type('')}
          >
            <CloseIcon size={16} />
          </ActionIcon>
        ) : (
          <Kbd size="xs" aria-hidden="true" className={classes['shortcut']}>
            /
          </Kbd>
        )
      }
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed) type('');
      }}
    />
  );
}
