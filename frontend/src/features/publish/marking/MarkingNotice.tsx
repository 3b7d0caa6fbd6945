import { Alert, Button, Group } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { structuredField } from '@/shared/fields/fieldSettings';

import type { CheckResult } from '../useTemplateCheck';
import type { MarkedFile } from './MarkingEditor';
import { suggestedFields } from './markedFields';
import { useBlanks } from './useBlanks';
import type { MarkingHistory } from './useMarkingHistory';

const MarkingEditor = lazy(() =>
  import('./MarkingEditor').then((module) => ({ default: module.MarkingEditor })),
);

interface MarkingNoticeProps {
  file: File;
  checked: CheckResult;
  /** The marking whose result is `file`; null if `file` was not marked here. */
  marking: MarkedFile | null;
  isDisabled: boolean;
  lang: string | undefined;
  /** The country of the template, ISO 3166. */
  country: string | null;
  onMarked: (result: MarkedFile) => void;
  onUndo: (original: File) => void;
}

/** Tells how many blanks a file has, and opens the editor that turns them into fields. */
export function MarkingNotice({
  file,
  checked,
  marking,
  isDisabled,
  lang,
  country,
  onMarked,
  onUndo,
}: MarkingNoticeProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  /** The fields as the editor was left. */
  const [leftHistory, setLeftHistory] = useState<MarkingHistory | null>(null);
  const source = marking?.original ?? file;
  const { isSupported, data } = useBlanks(source);
  const suggested = useMemo(() => data && suggestedFields(data.blanks), [data]);
  // Browsers without the engine cannot mark files. The command line can.
  if (!isSupported) return checked.fields.length === 0 ? <p>{t('marking.elsewhere')}</p> : null;
  if (!data || !suggested) return null;
  const initial = leftHistory ?? marking?.history ?? { past: [], fields: suggested, future: [] };
  const count = suggested.length;
  return (
    <>
      <Alert
        variant="light"
        role="status"
        title={
          marking
            ? t('marking.done', {
                count: marking.history.fields.filter(({ isAccepted }) => isAccepted).length,
              })
            : count > 0
              ? t('marking.found', { count })
              : t('marking.noneFound')
        }
      >
        <p>
          {!marking
            ? t('marking.foundHint')
            : marking.skipped > 0
              ? t('marking.skipped', { count: marking.skipped })
              : t('marking.doneHint')}
        </p>
        <Group mt="xs" gap="xs">
          <Button
            size="xs"
            variant={marking || count === 0 ? 'default' : 'filled'}
            disabled={isDisabled}
            onClick={() => setOpen(true)}
          >
            {t(marking ? 'marking.openAgain' : 'marking.open')}
          </Button>
          {marking && (
            <Button
              size="xs"
              variant="default"
              disabled={isDisabled}
              onClick={() => onUndo(marking.original)}
            >
              {t('marking.undoAll')}
            </Button>
          )}
        </Group>
      </Alert>
      {isOpen && (
        <Suspense>
          <MarkingEditor
            file={source}
            docx={data.docx}
            existing={marking?.existing ?? checked.settings.map(structuredField)}
            initial={initial}
            omitted={data.omitted}
            lang={lang}
            country={country}
            onApply={(result) => {
              setOpen(false);
              setLeftHistory(null);
              onMarked(result);
            }}
            onClose={(history) => {
              setOpen(false);
              setLeftHistory(history);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
