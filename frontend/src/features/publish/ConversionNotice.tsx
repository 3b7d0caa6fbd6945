import { Alert, Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import type { TemplateProgram } from '@/api/types';
import { diagnosticLocation } from '@/shared/i18n/diagnostics';
import { canLayOutPages, convertTemplate } from '@/shared/pages/client';
import type { ConversionReport } from '@/shared/pages/messages';

/** The programs as their users know them. */
export const PROGRAM_NAMES: Record<TemplateProgram, string> = {
  docxtemplater: 'docxtemplater',
  docxtpl: 'docxtpl',
  carbone: 'Carbone',
};

/** A file that was converted, with the file as it was. */
export interface ConvertedFile {
  original: File;
  converted: File;
  report: ConversionReport;
}

interface ConversionNoticeProps {
  file: File;
  /** The program for which the file was written; null if it has no marks of another program. */
  program: TemplateProgram | null;
  isConvertible: boolean;
  /** The conversion whose result is `file`; null if `file` was not converted. */
  conversion: ConvertedFile | null;
  isDisabled: boolean;
  onConverted: (conversion: ConvertedFile) => void;
  onUndo: (original: File) => void;
}

/** Tells that a file was written for another program, and converts it. */
export function ConversionNotice({
  file,
  program,
  isConvertible,
  conversion,
  isDisabled,
  onConverted,
  onUndo,
}: ConversionNoticeProps) {
  const { t } = useTranslation();
  const convert = useMutation({
    mutationFn: async (): Promise<ConvertedFile> => {
      const { bytes, report } = await convertTemplate(new Uint8Array(await file.arrayBuffer()));
      const converted = new File([bytes], file.name, { type: file.type, lastModified: Date.now() });
      return { original: file, converted, report };
    },
  });

  if (conversion) {
    return <ConversionResult conversion={conversion} isDisabled={isDisabled} onUndo={onUndo} />;
  }
  if (!program) return null;
  // The browser module converts the file. Browsers without it cannot.
  const canConvert = isConvertible && canLayOutPages();
  return (
    <Alert
      color="yellow"
      variant="light"
      title={t('publish.writtenFor', { program: PROGRAM_NAMES[program] })}
    >
      <p>{isConvertible ? t('publish.writtenForHint') : t('publish.notConvertible')}</p>
      {isConvertible && !canConvert && (
        <p>
          {t('publish.convertElsewhere')} <code dir="ltr">waraq convert template.docx -o converted.docx</code>
        </p>
      )}
      {convert.isError && <p role="alert">{t('publish.conversionFailed')}</p>}
      {canConvert && (
        <Button
          variant="default"
          size="xs"
          mt="xs"
          loading={convert.isPending}
          disabled={isDisabled}
          // A file that was replaced meanwhile stays.
          onClick={() => convert.mutate(undefined, { onSuccess: onConverted })}
        >
          {t('publish.convert')}
        </Button>
      )}
    </Alert>
  );
}

function ConversionResult({
  conversion: { original, report },
  isDisabled,
  onUndo,
}: Pick<ConversionNoticeProps, 'isDisabled' | 'onUndo'> & { conversion: ConvertedFile }) {
  const { t } = useTranslation();
  const { remaining, omitted } = report;
  return (
    <Alert variant="light" role="status" title={t('publish.converted')}>
      <p>{t('publish.convertedMarks', { count: report.converted })}</p>
      {remaining.length > 0 && (
        <>
          <p>{t('publish.remainingMarks', { count: remaining.length + omitted })}</p>
          <ul>
            {remaining.map(({ mark, part, paragraph }, index) => (
              <li key={`${part} ${paragraph} ${index}`}>
                <code dir="ltr">{mark}</code> ({diagnosticLocation({ part, paragraph }, t)})
              </li>
            ))}
          </ul>
        </>
      )}
      <Group mt="xs">
        <Button variant="default" size="xs" disabled={isDisabled} onClick={() => onUndo(original)}>
          {t('publish.undoConversion')}
        </Button>
      </Group>
    </Alert>
  );
}
