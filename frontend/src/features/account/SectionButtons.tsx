import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import classes from './AccountPage.module.css';

interface SectionButtonsProps {
  /** The text of the button that saves. */
  save: string;
  hasChanges: boolean;
  isSaving: boolean;
  onCancel: () => void;
}

/** The buttons of a section. They are disabled until something changes (specification §2). */
export function SectionButtons({ save, hasChanges, isSaving, onCancel }: SectionButtonsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes['end']}>
      <Button variant="default" disabled={!hasChanges || isSaving} onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button type="submit" disabled={!hasChanges} loading={isSaving}>
        {save}
      </Button>
    </div>
  );
}
