import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './Failure.module.css';
import { AlertIcon } from './icons';

interface FailureProps {
  title: string;
  /** True if it fills the page, so that its title is the page's heading. */
  fillsPage?: boolean;
  hint?: ReactNode;
  onRetry?: (() => void) | undefined;
  /** Further actions. */
  children?: ReactNode;
}

/** An error message with its reason and the possible next steps. */
export function Failure({ title, fillsPage, hint, onRetry, children }: FailureProps) {
  const { t } = useTranslation();
  const Title = fillsPage ? 'h1' : 'h2';
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
