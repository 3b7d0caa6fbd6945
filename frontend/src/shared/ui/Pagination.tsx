import { Pagination as Pages } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { ChevronIcon } from '@/shared/ui/icons';

import classes from './Pagination.module.css';

interface PaginationProps {
  /** The page number, from 1. */
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

/** Page numbers with previous and next below a list. A page number out of range is ignored (specification §5). */
export function Pagination({ page, pages, onChange }: PaginationProps) {
  const { t } = useTranslation();
  if (pages < 2) return null;
  const go = (to: number) => {
    if (to < 1 || to > pages || to === page) return;
    onChange(to);
    window.scrollTo(0, 0);
  };
  return (
    <nav aria-label={t('pagination.label')} className={classes['links']}>
      <Pages
        total={pages}
        value={page}
        onChange={go}
        getItemProps={(number) => ({ 'aria-label': t('pagination.page', { page: number }) })}
        getControlProps={(control) => ({
          'aria-label': control === 'previous' ? t('pagination.previous') : t('pagination.next'),
        })}
        previousIcon={Previous}
        nextIcon={Next}
      />
    </nav>
  );
}

function Previous() {
  return (
    <span className={classes['turned']}>
      <ChevronIcon />
    </span>
  );
}

function Next() {
  return (
    <span className={classes['icon']}>
      <ChevronIcon />
    </span>
  );
}
