import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './Failure.module.css';
import { AlertIcon } from './icons';

interface FailureProps {
  title: string;
  hint?: ReactNode;
  onRetry?: (() => void) | undefined;
  /** What else can be done. */
  children?: ReactNode;
}

/** Stands where something could not be shown: what failed, why, and a way on. */
export function Failure({ title, hint, onRetry, children }: FailureProps) {
  const { t } = useTranslation();
  return (
    <div className={classes['failure']} role="alert">
      <span className={classes['sign']}>
        <AlertIcon size={24} />
      </span>
      <h2>{title}</h2>
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
