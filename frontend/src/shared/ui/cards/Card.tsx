import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import classes from './Cards.module.css';

interface CardProps {
  /** The link of the card; the whole card is its target. */
  to: string;
  title: string;
  /** The title's language (BCP 47). */
  lang: string;
  /** The first page, or null for blank paper. `small` is for screens of normal density. */
  picture: { src: string; small?: string | null | undefined; width: number; height: number } | null;
  /** True to load the picture at once, not when it comes near the window. */
  loadsEagerly?: boolean;
  badges: readonly string[];
  /** A mark that sets the card apart, such as "inactive". */
  mark?: string | null;
  /** Short facts at the bottom, such as a language or a count. */
  facts: readonly ReactNode[];
  /** Buttons at the bottom, above the card's link. */
  actions?: ReactNode;
}

/** A document with its first page, as an item of a `CardGrid`. */
export function Card({
  to,
  title,
  lang,
  picture,
  loadsEagerly = false,
  badges,
  mark,
  facts,
  actions,
}: CardProps) {
  return (
    <li className={classes['card']} data-marked={mark ? true : undefined}>
      <div className={classes['desk']}>
        {picture ? (
          <img
            className={classes['page']}
            loading={loadsEagerly ? 'eager' : 'lazy'}
            fetchPriority={loadsEagerly ? 'high' : 'auto'}
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
            {/* Isolated: the text starts at the side where the interface starts, in any direction. */}
            <bdi>{title}</bdi>
          </Link>
        </h2>
        <div className={classes['badges']}>
          {mark && (
            <Badge color="gray" variant="outline">
              {mark}
            </Badge>
          )}
          {/* Two categories that were merged have the same name. */}
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
