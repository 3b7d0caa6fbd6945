import { Badge, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from 'react-i18next';

import type { Document } from '@/api/types';
import { useCategoryLabel, useLanguageName } from '@/shared/lookups';

import classes from './DocumentHeader.module.css';
import { BackIcon } from './icons';

/** What the header says of a template, or of a saved document. */
export type Heading = Pick<Document, 'title' | 'language' | 'categories' | 'usageCount' | 'pages'>;

interface DocumentHeaderProps {
  document: Heading | undefined;
  /** Pages of what is shown below, where that is not the template; null: not known yet. */
  pages?: number | null | undefined;
  /** Where the arrow leads. */
  back: { to: string; label: string };
  /** Above the title: the step this page is. */
  step?: string;
  /** More that is known of it, such as a date. */
  facts?: ReactNode;
  actions?: ReactNode;
}

/** What a template or a saved document is, at the top of its pages. */
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
  return (
    <header className={classes['header']}>
      <div className={classes['words']}>
        <Link to={back.to} className={classes['back']}>
          <BackIcon size={16} />
          {back.label}
        </Link>
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
              {pages != null && <span data-pages={pages}>{t('pages', { count: pages })}</span>}
              {/* That nobody has taken it yet says nothing about it. */}
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
