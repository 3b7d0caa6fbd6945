import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './Failure.module.css';
import { AlertIcon } from './icons';

interface FailureProps {
  title: string;
  /** It is all the page there is, so its title is the page's. */
  page?: boolean;
  hint?: ReactNode;
  onRetry?: (() => void) | undefined;
  /** What else can be done. */
  children?: ReactNode;
}

/** Stands where something could not be shown: what failed, why, and a way on. */
export function Failure({ title, page, hint, onRetry, children }: FailureProps) {
  const { t } = useTranslation();
  const Title = page ? 'h1' : 'h2';
  return (
    <div className={classes['failure']} role="alert">
      <span className={classes['sign']}>
        <AlertIcon size={24} />
      </span>
      <Title className={classes['title']}>{title}</Title>
      {hint && <p>{hint}</p>}
      <div className={classes['actions']}>
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}
