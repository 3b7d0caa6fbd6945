import { Skeleton } from '@mantine/core';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './Cards.module.css';
import { nextCardIndex, type CardPosition } from './nextCardIndex';

interface CardGridProps {
  /** The name of the list for screen readers. */
  label: string;
  /** The number of columns if there is space; by default as many as fit. */
  columns?: 3;
  /** The items, which are `Card`s. */
  children: ReactNode;
}

/** Cards in columns. Arrow keys move between them as they are placed on the screen. */
export function CardGrid({ label, columns, children }: CardGridProps) {
  const list = useRef<HTMLUListElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('h2 a') ?? [])];
    const from = links.findIndex((link) => link === document.activeElement);
    const positions = links.map((link): CardPosition => {
      const box = link.closest('li')?.getBoundingClientRect();
      return { x: (box?.left ?? 0) + (box?.width ?? 0) / 2, y: box?.top ?? 0 };
    });
    const to = nextCardIndex(positions, from, event.key);
    if (to === undefined) return;
    event.preventDefault();
    links[to]?.focus();
    links[to]?.closest('li')?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <ul
      ref={list}
      className={classes['grid']}
      data-columns={columns}
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {children}
    </ul>
  );
}

/** Placeholders for a page of cards while it is loading. */
export function CardSkeletons({ count, columns }: { count: number; columns?: 3 }) {
  const { t } = useTranslation();
  return (
    <div className={classes['grid']} data-columns={columns} role="status" aria-label={t('loading')}>
      {Array.from({ length: count }, (_, index) => (
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
