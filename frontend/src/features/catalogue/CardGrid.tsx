import { Badge, Skeleton } from '@mantine/core';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Document } from '@/api/types';
import { useCategoryLabel, useLanguageName } from '@/shared/lookups';

import classes from './CardGrid.module.css';
import { neighbour, type Place } from './neighbour';
import { PAGE_SIZE } from './filters';

/** The cards; arrow keys go from one to the next, as they lie on the screen. */
export function CardGrid({ documents }: { documents: Document[] }) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('a') ?? [])];
    const from = links.findIndex((link) => link === document.activeElement);
    const places = links.map((link): Place => {
      const box = link.closest('li')?.getBoundingClientRect();
      return { x: (box?.left ?? 0) + (box?.width ?? 0) / 2, y: box?.top ?? 0 };
    });
    const to = neighbour(places, from, event.key);
    if (to === undefined) return;
    event.preventDefault();
    links[to]?.focus();
    links[to]?.closest('li')?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <ul ref={list} className={classes['grid']} aria-label={t('catalogue.results')} onKeyDown={onKeyDown}>
      {documents.map((document) => (
        <Card key={document._id} template={document} />
      ))}
    </ul>
  );
}

function Card({ template }: { template: Document }) {
  const { t } = useTranslation();
  const label = useCategoryLabel();
  const languageName = useLanguageName();
  return (
    <li className={classes['card']}>
      <div className={classes['desk']}>
        {template.thumbnail ? (
          <img
            className={classes['page']}
            src={template.thumbnail}
            width={template.thumbnailWidth}
            height={template.thumbnailHeight}
            alt=""
            loading="lazy"
            decoding="async"
          />
        ) : (
          <div className={classes['page']} />
        )}
      </div>
      <div className={classes['about']}>
        <h2 className={classes['title']} lang={template.language.code}>
          <Link to={`/user-home/document/${encodeURIComponent(template._id)}`}>
            {/* Isolated: it stands where the interface starts, whatever way it is read. */}
            <bdi>{template.title}</bdi>
          </Link>
        </h2>
        <div className={classes['badges']}>
          {template.categories.map((name) => (
            <Badge key={name}>
              <bdi>{label(name)}</bdi>
            </Badge>
          ))}
        </div>
        <p className={classes['meta']}>
          <span>{languageName(template.language)}</span>
          <span>{t('downloads', { count: template.usageCount })}</span>
        </p>
      </div>
    </li>
  );
}

export function CardSkeletons() {
  const { t } = useTranslation();
  return (
    <div className={classes['grid']} role="status" aria-label={t('loading')}>
      {Array.from({ length: PAGE_SIZE }, (_, index) => (
        <div key={index} className={classes['card']}>
          <div className={classes['desk']}>
            <Skeleton className={classes['page']} radius={2} />
          </div>
          <div className={classes['about']}>
            <Skeleton height={16} width="80%" mb={12} />
            <Skeleton height={12} width="45%" />
          </div>
        </div>
      ))}
    </div>
  );
}
