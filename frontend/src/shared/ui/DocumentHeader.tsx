import { Badge, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from 'react-i18next';

import type { Template } from '@/api/types';
import { useCategoryLabel, useCountryName, useLanguageName } from '@/shared/lookups';

import classes from './DocumentHeader.module.css';
import { BackIcon } from './icons';

/** The header data of a template or of a saved document. */
export type DocumentHeading = Pick<
  Template,
  'title' | 'language' | 'country' | 'categories' | 'usageCount' | 'pages'
>;

interface DocumentHeaderProps {
  document: DocumentHeading | undefined;
  /** The number of the pages below if they are not the template's; null while unknown. */
  pages?: number | null | undefined;
  /** The target of the back arrow; none if a button of the page leads back. */
  back?: { to: string; label: string };
  /** The current step, shown above the title. */
  step?: string;
  /** Additional facts, such as a date. */
  facts?: ReactNode;
  actions?: ReactNode;
}

/** The header of the pages of a template or of a saved document. */
export function DocumentHeader({
  document,
  pages = document?.pages,
  back,
  step,
  facts,
  actions,
}: DocumentHeaderProps) {
  const { t } = useTranslation();
  const label = useCategoryLabel();
  const languageName = useLanguageName();
  const countryName = useCountryName();
  return (
    <header className={classes['header']}>
      <div className={classes['words']}>
        {back && (
          <Link to={back.to} className={classes['back']}>
            <BackIcon size={16} />
            {back.label}
          </Link>
        )}
        {document ? (
          <>
            <h1>
              {step && <span className={classes['step']}>{step}</span>}
              <bdi lang={document.language.code}>{document.title}</bdi>
            </h1>
            <div className={classes['meta']}>
              {[...new Set(document.categories.map(label))].map((name) => (
                <Badge key={name}>
                  <bdi>{name}</bdi>
                </Badge>
              ))}
              <span>{languageName(document.language)}</span>
              {document.country && <span>{countryName(document.country)}</span>}
              {pages != null && <span data-pages={pages}>{t('pages', { count: pages })}</span>}
              {/* A count of zero is not shown, because it says nothing about the template. */}
              {document.usageCount > 0 && <span>{t('downloads', { count: document.usageCount })}</span>}
              {facts}
            </div>
          </>
        ) : (
          <>
            <Skeleton height={32} width={320} maw="100%" my={4} />
            <Skeleton height={16} width={240} maw="100%" />
          </>
        )}
      </div>
      {actions && <div className={classes['actions']}>{actions}</div>}
    </header>
  );
}
