import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Failure } from '@/shared/ui/Failure';

function Notice() {
  const { t } = useTranslation();
  return (
    <Failure fillsPage title={t('crash.title')} hint={t('crash.hint')}>
      <Button onClick={() => window.location.reload()}>{t('crash.reload')}</Button>
    </Failure>
  );
}

/** Catches errors that no screen has handled, and shows a message in place of an empty page. */
export class CrashNotice extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError(): { crashed: boolean } {
    return { crashed: true };
  }

  override render(): ReactNode {
    return this.state.crashed ? <Notice /> : this.props.children;
  }
}
