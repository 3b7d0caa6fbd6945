import { Button, Checkbox, Indicator, Popover, ScrollArea, Select, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { SORTS } from '@/shared/templates/sorts';
import { useCategories, useCategoryLabel, useLanguageName, useLanguages } from '@/shared/lookups';
import { SearchField } from '@/shared/ui/SearchField';

import classes from './Toolbar.module.css';
import type { Filters } from './filters';

interface ToolbarProps {
  filters: Filters;
  change: (changes: Partial<Filters>, typing?: boolean) => void;
}

/** Search by title, and filters for language, categories and order. */
export function Toolbar({ filters, change }: ToolbarProps) {
  return (
    <div className={classes['toolbar']} role="search">
      <SearchField text={filters.title} onChange={(title) => change({ title }, true)} />
      <LanguageFilter lang={filters.lang} onChange={(lang) => change({ lang })} />
      <CategoryFilter
        lang={filters.lang}
        chosen={filters.categories}
        onChange={(categories) => change({ categories })}
      />
      <SortChoice sort={filters.sort} onChange={(sort) => change({ sort })} />
    </div>
  );
}

function LanguageFilter({ lang, onChange }: { lang: string; onChange: (lang: string) => void }) {
  const { t } = useTranslation();
  const { languages, isError, refetch } = useLanguages();
  const languageName = useLanguageName();
  if (isError) return <LookupRetry label={t('language')} onRetry={() => void refetch()} />;
  return (
    <Select
      aria-label={t('language')}
      w={176}
      allowDeselect={false}
      data={[
        { value: '', label: t('catalogue.allLanguages') },
        ...(languages ?? []).map((language) => ({ value: language.code, label: languageName(language) })),
      ]}
      value={lang}
      onChange={(code) => onChange(code ?? '')}
    />
  );
}

interface CategoryFilterProps {
  chosen: string[];
  /** The code of the language whose templates are counted; '' for all. */
  lang: string;
  onChange: (names: string[]) => void;
}

function CategoryFilter({ chosen, lang, onChange }: CategoryFilterProps) {
  const { t } = useTranslation();
  const { categories, isError, refetch } = useCategories(lang);
  const label = useCategoryLabel();
  if (isError) return <LookupRetry label={t('catalogue.categories')} onRetry={() => void refetch()} />;
  // A category without templates would only lead to an empty page.
  const offered = (categories ?? []).filter(({ name, count }) => count > 0 || chosen.includes(name));
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Indicator disabled={chosen.length === 0} label={chosen.length} size={20} offset={4}>
        <Popover.Target>
          <Button variant="default" fw={400} disabled={offered.length === 0}>
            {t('catalogue.categories')}
          </Button>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label={t('catalogue.categories')}>
        <ScrollArea.Autosize mah="20vh" type="auto" offsetScrollbars>
          <Checkbox.Group value={chosen} onChange={onChange}>
            <Stack gap={10} miw={200}>
              {offered.map(({ name, count }) => (
                <Checkbox
                  key={name}
                  value={name}
                  label={
                    <>
                      <bdi>{label(name)}</bdi> <span className={classes['count']}>{count}</span>
                    </>
                  }
                />
              ))}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

function SortChoice({
  sort,
  onChange,
}: {
  sort: Filters['sort'];
  onChange: (sort: Filters['sort']) => void;
}) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={t('catalogue.sort')}
      w={176}
      allowDeselect={false}
      data={SORTS.map((value) => ({ value, label: t(`catalogue.${value}`) }))}
      value={sort}
      onChange={(value) => onChange(SORTS.find((known) => known === value) ?? 'newest')}
    />
  );
}

/** Replaces a filter whose choices could not be loaded. */
function LookupRetry({ label, onRetry }: { label: string; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Button variant="default" fw={400} onClick={onRetry}>
      {t('retryOf', { what: label })}
    </Button>
  );
}
