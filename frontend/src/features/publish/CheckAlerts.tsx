import { Alert, Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useErrorText } from '@/shared/i18n/useErrorText';
import type { ConversionReport } from '@/shared/pages/messages';

import type { ConvertedFile } from './ConversionNotice';
import type { DeclaredKind } from './fieldSettings';
import type { MarkedFile } from './marking/MarkingEditor';
import { declaredKinds } from './marking/markedFields';
import type { CheckResult } from './useTemplateCheck';

// Few files were written for another program.
const ConversionNotice = lazy(() =>
  import('./ConversionNotice').then((module) => ({ default: module.ConversionNotice })),
);
const MarkingNotice = lazy(() =>
  import('./marking/MarkingNotice').then((module) => ({ default: module.MarkingNotice })),
);

interface CheckAlertsProps {
  file: File | null;
  checked: CheckResult | undefined;
  error: Error | null;
  isDisabled: boolean;
  /** The language of the template, BCP 47. */
  lang: string | undefined;
  /** The country of the template, ISO 3166. */
  country: string | null;
  /** Checks the file again; null if that cannot help. */
  onRetry: ((file: File) => void) | null;
  /** Called with another file to check, and the kinds of its fields that are known, by name. */
  onChoose: (file: File, kinds: ReadonlyMap<string, DeclaredKind>) => void;
}

/** The failure of the check of a file, the conversion of a file for another program, and the marking of blanks. */
export function CheckAlerts(props: CheckAlertsProps) {
  const { file, checked, error, isDisabled, lang, country, onRetry, onChoose } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [lastConversion, setLastConversion] = useState<ConvertedFile | null>(null);
  const [lastMarking, setLastMarking] = useState<MarkedFile | null>(null);
  if (!file) return null;
  const conversion = lastConversion?.converted === file ? lastConversion : null;
  const marking = lastMarking?.marked === file ? lastMarking : null;
  return (
    <>
      {error && (
        <Alert color="red" variant="light" role="alert" title={t('publish.checkFailed')}>
          {errorText(error)}
          {onRetry && (
            <Button variant="default" size="xs" ms="sm" onClick={() => onRetry(file)}>
              {t('retry')}
            </Button>
          )}
        </Alert>
      )}
      {(conversion ?? checked?.program) && (
        <Suspense>
          <ConversionNotice
            key={`${file.name} ${file.size} ${file.lastModified}`}
            file={file}
            program={checked?.program ?? null}
            isConvertible={checked?.isConvertible ?? false}
            conversion={conversion}
            isDisabled={isDisabled}
            onConverted={(done) => {
              setLastConversion(done);
              onChoose(done.converted, kindsOfConversion(done.report));
            }}
            onUndo={(original) => {
              setLastConversion(null);
              onChoose(original, new Map());
            }}
          />
        </Suspense>
      )}
      {checked && !checked.program && (
        <Suspense>
          <MarkingNotice
            key={`${file.name} ${file.size} ${file.lastModified}`}
            file={file}
            checked={checked}
            marking={marking}
            isDisabled={isDisabled}
            lang={lang}
            country={country}
            onMarked={(done) => {
              setLastMarking(done);
              onChoose(done.marked, declaredKinds(done.history.fields));
            }}
            onUndo={(original) => {
              setLastMarking(null);
              onChoose(original, new Map());
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function kindsOfConversion({ lists, pictures }: ConversionReport): Map<string, DeclaredKind> {
  const declare = (names: string[], kind: 'list' | 'picture') =>
    names.map((name): [string, DeclaredKind] => [name, { kind }]);
  return new Map([...declare(lists, 'list'), ...declare(pictures, 'picture')]);
}
