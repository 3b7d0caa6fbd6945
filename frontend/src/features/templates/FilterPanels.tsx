import { Button, Checkbox, FocusTrap, Indicator, Radio, Stack } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { SORTS } from '@/shared/templates/sorts';
import { useCategories, useCategoryLabel, useLanguageName, useLanguages } from '@/shared/lookups';
import { FilterIcon, SortIcon } from '@/shared/ui/icons';

import { activeFilterCount, STATUSES, UNFILTERED, type Filters } from './filters';
import classes from './FilterPanels.module.css';

interface FilterPanelsProps {
  filters: Filters;
  change: (changes: Partial<Filters>) => void;
}

/** The panels for filters and order over the list; at most one is open (specification §4). */
export function FilterPanels({ filters, change }: FilterPanelsProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'filter' | 'sort' | null>(null);
  const close = () => setOpen(null);

  /** Applies a choice at once. A click closes the panel, and an arrow key keeps it open for the next one. */
  const apply = (changes: Partial<Filters>, keepsOpen = false) => {
    change(changes);
    if (!keepsOpen) close();
  };

  return (
    <>
      <Panel
        label={t('templates.filter')}
        icon={<FilterIcon />}
        count={activeFilterCount(filters)}
        opened={open === 'filter'}
        isRaised={open !== null}
        onToggle={() => setOpen(open === 'filter' ? null : 'filter')}
        onClose={close}
      >
        <FilterChoices filters={filters} pick={apply} />
        <div className={classes['end']}>
          <Button variant="subtle" onClick={() => apply(UNFILTERED)}>
            {t('templates.reset')}
          </Button>
          <Button onClick={close}>{t('templates.done')}</Button>
        </div>
      </Panel>
      <Panel
        label={t('templates.sort')}
        icon={<SortIcon />}
        count={0}
        opened={open === 'sort'}
        isRaised={open !== null}
        onToggle={() => setOpen(open === 'sort' ? null : 'sort')}
        onClose={close}
      >
        <RadioChoice
          label={t('catalogue.sort')}
          options={SORTS.map((sort) => ({ value: sort, label: t(`catalogue.${sort}`) }))}
          value={filters.sort}
          onPick={(value, keepsOpen) =>
            apply({ sort: SORTS.find((known) => known === value) ?? 'newest' }, keepsOpen)
          }
        />
      </Panel>
    </>
  );
}

interface FilterChoicesProps {
  filters: Filters;
  pick: (changes: Partial<Filters>, keepsOpen?: boolean) => void;
}

function FilterChoices({ filters, pick }: FilterChoicesProps) {
  const { t } = useTranslation();
  const { languages, ...languagesQuery } = useLanguages();
  const { categories, ...categoriesQuery } = useCategories();
  const languageName = useLanguageName();
  const label = useCategoryLabel();
  return (
    <>
      <RadioChoice
        label={t('templates.status')}
        options={STATUSES.map((status) => ({ value: status, label: t(`templates.${status}Status`) }))}
        value={filters.status}
        onPick={(value, keepsOpen) =>
          pick({ status: STATUSES.find((known) => known === value) ?? 'all' }, keepsOpen)
        }
      />
      {languagesQuery.isError ? (
        <RetryButton label={t('language')} onRetry={() => void languagesQuery.refetch()} />
      ) : (
        <RadioChoice
          label={t('language')}
          options={[
            { value: '', label: t('catalogue.allLanguages') },
            ...(languages ?? []).map((known) => ({ value: known.code, label: languageName(known) })),
          ]}
          value={filters.lang}
          onPick={(lang, keepsOpen) => pick({ lang }, keepsOpen)}
        />
      )}
      {categoriesQuery.isError ? (
        <RetryButton label={t('catalogue.categories')} onRetry={() => void categoriesQuery.refetch()} />
      ) : (
        <Checkbox.Group
          label={t('catalogue.categories')}
          value={filters.categories}
          onChange={(names) => pick({ categories: names })}
        >
          {/* A scrolling region must be reachable by keyboard; its boxes are. */}
          <div className={classes['categories']}>
            <Stack gap={8}>
              {(categories ?? []).map(({ name }) => (
                <Checkbox key={name} value={name} label={<bdi>{label(name)}</bdi>} />
              ))}
            </Stack>
          </div>
        </Checkbox.Group>
      )}
    </>
  );
}

function RetryButton({ label, onRetry }: { label: string; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Button variant="default" onClick={onRetry}>
      {t('retryOf', { what: label })}
    </Button>
  );
}

interface RadioChoiceProps {
  label: string;
  options: { value: string; label: string }[];
  value: string;
  /** `keepsOpen` is true for a choice by an arrow key. */
  onPick: (value: string, keepsOpen: boolean) => void;
}

/** A choice of one option. An arrow key chooses the next one, as everywhere on the platform. */
function RadioChoice({ label, options, value, onPick }: RadioChoiceProps) {
  const isArrow = useRef(false);
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(picked) => onPick(picked, isArrow.current)}
      onKeyDown={({ key }) => {
        isArrow.current = key.startsWith('Arrow');
      }}
      onPointerDown={() => {
        isArrow.current = false;
      }}
    >
      <Stack gap={8}>
        {options.map((option) => (
          <Radio key={option.value} value={option.value} label={option.label} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface PanelProps {
  label: string;
  icon: ReactNode;
  /** The number of active choices; 0 is not shown. */
  count: number;
  opened: boolean;
  /** True if the button is above the backdrop, so that one click switches between panels. */
  isRaised: boolean;
  onToggle: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A button with the panel that it opens. A click outside or Escape closes the panel. */
function Panel({ label, icon, count, opened, isRaised, onToggle, onClose, children }: PanelProps) {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpened = useRef(opened);

  // The focus returns to the button.
  useEffect(() => {
    if (wasOpened.current && !opened) button.current?.focus({ preventScroll: true });
    wasOpened.current = opened;
  }, [opened]);

  return (
    <div
      className={classes['place']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !opened) return;
        event.stopPropagation();
        onClose();
      }}
    >
      {opened && <div className={classes['backdrop']} data-backdrop onClick={onClose} />}
      <Indicator disabled={count === 0} label={count} size={20} offset={4}>
        <Button
          ref={button}
          variant="default"
          fw={400}
          leftSection={icon}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={onToggle}
          className={classes['button'] ?? ''}
          data-raised={isRaised || undefined}
        >
          {label}
        </Button>
      </Indicator>
      {opened && (
        <FocusTrap active>
          <div className={classes['panel']} role="dialog" aria-label={label}>
            {children}
          </div>
        </FocusTrap>
      )}
    </div>
  );
}
