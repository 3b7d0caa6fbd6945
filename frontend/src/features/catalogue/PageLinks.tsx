import { Pagination } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { ChevronIcon } from '@/shared/ui/icons';

import classes from './PageLinks.module.css';

interface PageLinksProps {
  /** From 1. */
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

/** Previous, numbers, next; a page there is none of is ignored (specification §5). */
export function PageLinks({ page, pages, onChange }: PageLinksProps) {
  const { t } = useTranslation();
  if (pages < 2) return null;
  const go = (to: number) => {
    if (to < 1 || to > pages || to === page) return;
    onChange(to);
    window.scrollTo(0, 0);
  };
  return (
    <nav aria-label={t('catalogue.pagination')} className={classes['links']}>
      <Pagination
        total={pages}
        value={page}
        onChange={go}
        getItemProps={(number) => ({ 'aria-label': t('catalogue.page', { page: number }) })}
        getControlProps={(control) => ({
          'aria-label': control === 'previous' ? t('catalogue.previous') : t('catalogue.next'),
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
