import { ActionIcon, Popover } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { CalendarIcon } from '@/shared/ui/icons';

import type { FieldSettings } from './fieldSettings';

const Calendar = lazy(() => import('./Calendar').then((module) => ({ default: module.Calendar })));

interface DateButtonProps {
  settings: FieldSettings;
  value: string;
  lang: string;
  country: string | null;
  onPick: (value: string) => void;
}

/** A button that opens a calendar for a text input. The chosen day is written into the input. */
export function DateButton({ settings, value, lang, country, onPick }: DateButtonProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const label = t('fieldInput.chooseDate', { field: settings.label || settings.field });
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      hideDetached={false}
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen((now) => !now)}
        >
          <CalendarIcon />
        </ActionIcon>
      </Popover.Target>
      {/* The width of the calendar, so that the place is right before the calendar is loaded. */}
      <Popover.Dropdown p="sm" miw="min(290px, 100vw)" role="dialog" aria-label={label} data-calendar>
        <Suspense fallback={<p role="status">{t('loading')}</p>}>
          <Calendar
            value={value}
            lang={lang}
            country={country}
            onPick={(picked) => {
              setOpen(false);
              onPick(picked);
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
