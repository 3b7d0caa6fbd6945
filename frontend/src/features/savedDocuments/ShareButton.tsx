import { Button } from '@mantine/core';
import { useMemo } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { PDF_TYPE } from '@/shared/files';
import type { OpenSavedDocument } from '@/shared/savedDocuments/openSavedDocument';
import { createIcon } from '@/shared/ui/icons';

const ShareIcon = createIcon(<path d="M12 15V4m-4 4 4-4 4 4M7 11H5v9h14v-9h-2" />);

/** Shares the PDF of a saved document with another app. Browsers that cannot share files show no button. */
export function ShareButton({ opened: { pdf, fileName, document } }: { opened: OpenSavedDocument }) {
  const { t } = useTranslation();
  const data = useMemo<ShareData | null>(() => {
    const file = new File([pdf], `${fileName}.pdf`, { type: PDF_TYPE });
    const shared = { title: document.title, files: [file] };
    // Some browsers do not have `canShare`, although its type says so.
    return 'canShare' in navigator && navigator.canShare(shared) ? shared : null;
  }, [pdf, fileName, document.title]);
  if (!data) return null;

  const share = async () => {
    try {
      await navigator.share(data);
    } catch (error) {
      // Closing the share sheet is not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        toast.error(t('documentPages.shareFailed'));
    }
  };
  return (
    <Button variant="default" leftSection={<ShareIcon />} onClick={() => void share()}>
      {t('documentPages.share')}
    </Button>
  );
}
