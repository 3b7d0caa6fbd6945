import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import classes from './Cards.module.css';

interface CardProps {
  /** Where the card leads; the whole of it is the link's target. */
  to: string;
  title: string;
  /** BCP 47 of the title. */
  lang: string;
  /** The first page; without one there is blank paper. `small` is for screens of usual density. */
  picture: { src: string; small?: string | null | undefined; width: number; height: number } | null;
  /** Its picture is fetched at once, not when it comes near the window. */
  eager?: boolean;
  badges: readonly string[];
  /** What sets it apart from the others, such as that it is not in use any more. */
  mark?: string | null;
  /** Short facts at the foot, such as a language or a count. */
  facts: readonly ReactNode[];
  /** Buttons below, over the link's target. */
  actions?: ReactNode;
}

/** A document by its first page: one item of a `CardGrid`. */
export function Card({ to, title, lang, picture, eager = false, badges, mark, facts, actions }: CardProps) {
  return (
    <li className={classes['card']} data-marked={mark ? true : undefined}>
      <div className={classes['desk']}>
        {picture ? (
          <img
            className={classes['page']}
            loading={eager ? 'eager' : 'lazy'}
            fetchPriority={eager ? 'high' : 'auto'}
            decoding="async"
            width={picture.width}
            height={picture.height}
            {...(picture.small ? { srcSet: `${picture.small} 1x, ${picture.src} 2x` } : {})}
            src={picture.small ?? picture.src}
            alt=""
          />
        ) : (
          <div className={classes['page']} />
        )}
      </div>
      <div className={classes['about']}>
        <h2 className={classes['title']} lang={lang}>
          <Link to={to}>
            {/* Isolated: it stands where the interface starts, whatever way it is read. */}
            <bdi>{title}</bdi>
          </Link>
        </h2>
        <div className={classes['badges']}>
          {mark && (
            <Badge color="gray" variant="outline">
              {mark}
            </Badge>
          )}
          {/* Two that were merged are one. */}
          {[...new Set(badges)].map((badge) => (
            <Badge key={badge}>
              <bdi>{badge}</bdi>
            </Badge>
          ))}
        </div>
        <p className={classes['facts']}>
          {facts.map((fact, index) => (
            <span key={index}>{fact}</span>
          ))}
        </p>
        {actions && <div className={classes['actions']}>{actions}</div>}
      </div>
    </li>
  );
}
