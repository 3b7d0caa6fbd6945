import { renderToStaticMarkup } from 'react-dom/server';
import { Trans } from 'react-i18next';
import { beforeAll, expect, it } from 'vitest';

import { startI18n } from '@/shared/i18n/i18n';

import { Isolated } from './Isolated';

beforeAll(() => startI18n('en'));

it('shows a value in the middle of a translated sentence, whatever characters it has', () => {
  const sentence = renderToStaticMarkup(
    <Trans
      i18nKey="otpPage.lead"
      components={{ address: <Isolated dir="ltr" text="<b>a</b>{{t}}@example.org" /> }}
    />,
  );
  expect(sentence).toBe(
    'Enter the code we sent to <bdi dir="ltr">&lt;b&gt;a&lt;/b&gt;{{t}}@example.org</bdi>',
  );
});
