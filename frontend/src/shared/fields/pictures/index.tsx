import { lazy, Suspense, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';

import { loadTexts } from '@/shared/i18n/i18n';

// The inputs, their libraries and texts are loaded when a template has such a field.
const texts = () => loadTexts('pictures');
const Picture = lazy(() =>
  Promise.all([import('./PictureInput'), texts()]).then(([module]) => ({ default: module.PictureInput })),
);
const Signature = lazy(() =>
  Promise.all([import('./SignatureInput'), texts()]).then(([module]) => ({ default: module.SignatureInput })),
);
const QrCode = lazy(() =>
  Promise.all([import('./QrCodeInput'), texts()]).then(([module]) => ({ default: module.QrCodeInput })),
);

export type { PictureValue } from './pictureValue';

export function PictureInput(props: ComponentProps<typeof Picture>) {
  return (
    <Suspense fallback={<Loading label={props.label} />}>
      <Picture {...props} />
    </Suspense>
  );
}

export function SignatureInput(props: ComponentProps<typeof Signature>) {
  return (
    <Suspense fallback={<Loading label={props.label} />}>
      <Signature {...props} />
    </Suspense>
  );
}

export function QrCodeInput(props: ComponentProps<typeof QrCode>) {
  return (
    <Suspense fallback={<Loading label={props.label} />}>
      <QrCode {...props} />
    </Suspense>
  );
}

/** The label of an input that is loading. */
function Loading({ label }: { label: string }) {
  const { t } = useTranslation();
  return (
    <p role="status">
      <bdi>{label}</bdi>: {t('loading')}
    </p>
  );
}
